"""Measures two plain rankings on judged queries: SQLite FTS5 (porter stemming, its own bm25) and textbook BM25 (k1 1.2, b 0.5, plurals).

    python3 search.py CHORUS_FOLDER JUDGEMENTS.csv

Needs nothing but Python. The folder holds the Icecat data as {1..4}.json.zip; the fields are title, supplier and short description.
nDCG@10 with gain 2^rating - 1, unjudged documents count 0; queries without any relevant document are left out.
"""

import collections
import csv
import json
import math
import pathlib
import re
import sqlite3
import sys
import time
import zipfile


def products(folder):
    for path in sorted(pathlib.Path(folder).glob("*.json.zip")):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith(".json") and not name.startswith("__"):
                    for record in json.loads(archive.read(name)):
                        text = " ".join(record.get(k) or "" for k in ("title", "supplier", "short_description"))
                        yield record["id"], text


def judgements(path):
    judged = collections.defaultdict(dict)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            judged[row["query"]][row["docid"]] = int(float(row["rating"]))
    return {query: ratings for query, ratings in judged.items() if any(ratings.values())}


def words(text):
    for word in re.findall(r"[a-z0-9]+", text.lower()):
        if len(word) > 3 and word.endswith("ies"):
            word = word[:-3] + "y"
        elif len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
            word = word[:-1]
        yield word


class Bm25:
    name = "BM25"

    def __init__(self, rows, k1=1.2, b=0.5):
        self.k1, self.b, self.postings, self.lengths = k1, b, collections.defaultdict(list), {}
        for key, text in rows:
            counts = collections.Counter(words(text))
            self.lengths[key] = sum(counts.values())
            for word, count in counts.items():
                self.postings[word].append((key, count))
        self.average = sum(self.lengths.values()) / len(self.lengths)

    def search(self, query):
        scores = collections.defaultdict(float)
        for word in set(words(query)):
            found = self.postings.get(word, [])
            idf = math.log(1 + (len(self.lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for key, count in found:
                norm = self.k1 * (1 - self.b + self.b * self.lengths[key] / self.average)
                scores[key] += idf * count * (self.k1 + 1) / (count + norm)
        return sorted(scores, key=lambda key: (-scores[key], key))[:10]


class Fts5:
    name = "SQLite FTS5"

    def __init__(self, rows):
        self.base = sqlite3.connect(":memory:")
        self.base.execute("create virtual table p using fts5(id unindexed, text, tokenize='porter')")
        self.base.executemany("insert into p values (?, ?)", rows)

    def search(self, query):
        asked = " OR ".join(f'"{word}"' for word in re.findall(r"[a-z0-9]+", query.lower()))
        return [row[0] for row in self.base.execute("select id from p where p match ? order by bm25(p) limit 10", (asked,))]


def dcg(ratings):
    return sum((2**rating - 1) / math.log2(rank + 2) for rank, rating in enumerate(ratings[:10]))


def main():
    folder, path = sys.argv[1:]
    rows, judged = list(products(folder)), judgements(path)
    for engine in (Bm25, Fts5):
        started = time.perf_counter()
        index = engine(rows)
        built, total, times = time.perf_counter() - started, 0.0, []
        for query, ratings in judged.items():
            started = time.perf_counter()
            found = index.search(query)
            times.append(time.perf_counter() - started)
            ideal = dcg(sorted(ratings.values(), reverse=True))
            total += dcg([ratings.get(key, 0) for key in found]) / ideal
        times.sort()
        print(
            f"{index.name}: nDCG@10 {total / len(judged):.4f} on {len(judged)} queries, {len(rows) / built:.0f} products/s,"
            f" median {times[len(times) // 2] * 1000:.2f} ms, slowest {times[-1] * 1000:.2f} ms"
        )


if __name__ == "__main__":
    main()
