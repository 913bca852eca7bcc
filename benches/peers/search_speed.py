"""How fast SQLite FTS5 indexes and searches the made-up products of `cargo run --release -p mercer-search --example bench -- N`.

    python3 search_speed.py N

Needs nothing but Python. The same titles and descriptions and the same queries as words (FTS5 knows no prices, colours or exclusions).
"""

import os
import pathlib
import re
import sqlite3
import sys
import tempfile
import time

BENCH = pathlib.Path(__file__).parents[2] / "crates/search/examples/bench.rs"


def lists():
    text = BENCH.read_text(encoding="utf-8")
    found = {}
    for name in ("BRANDS", "COLOURS", "KINDS", "ADJECTIVES"):
        body = re.search(rf"const {name}: [^=]*=\s*&\[(.*?)\];", text, re.S).group(1)
        words = re.findall(r'"([^"]+)"', body)
        found[name] = words[1::2] if name == "KINDS" else words
    return found


def mix(n, salt):
    return (((n ^ (salt * 0x9E3779B97F4A7C15 % 2**64)) * 0xFF51AFD7ED558CCD) % 2**64) >> 40


def products(count, words):
    for n in range(count):
        pick = lambda name, salt: words[name][mix(n, salt) % len(words[name])]
        kind, brand, line = pick("KINDS", 1), pick("BRANDS", 2), mix(n, 7) % 2000
        title = f"{brand} {line} {pick('ADJECTIVES', 4)} {pick('ADJECTIVES', 5)} {pick('COLOURS', 3)} {kind}"
        yield (
            f"p{n}",
            f"{title} A {pick('ADJECTIVES', 6)} article of the {line} line, made for every day. "
            f"{kind} by {brand} come with a guarantee of two years and free returns.",
        )


def queries(words):
    for n in range(600):
        pick = lambda name, salt: words[name][mix(n, salt) % len(words[name])]
        kind, adjective = pick("KINDS", 1), pick("ADJECTIVES", 11)
        colour, brand = pick("COLOURS", 12), pick("BRANDS", 13)
        yield [kind, f"{adjective} {kind}", f"{colour} {kind}", f"{brand} {adjective} {kind}", f"{adjective} {kind}", adjective][n % 6]


def main():
    count, words = int(sys.argv[1]), lists()
    with tempfile.TemporaryDirectory() as folder:
        base = sqlite3.connect(os.path.join(folder, "products.db"))
        base.execute("create virtual table p using fts5(id unindexed, text, tokenize='porter')")
        started = time.perf_counter()
        base.executemany("insert into p values (?, ?)", products(count, words))
        base.commit()
        took = time.perf_counter() - started
        print(f"SQLite FTS5: {count} products in {took:.1f} s, {count / took:.0f} products/s")
        times = []
        for query in queries(words):
            asked = " AND ".join(f'"{word}"' for word in query.split())
            started = time.perf_counter()
            base.execute("select id from p where p match ? order by bm25(p) limit 20", (asked,)).fetchall()
            times.append(time.perf_counter() - started)
        times.sort()
        print(f"p50 {times[300] * 1000:.1f} ms, p95 {times[570] * 1000:.1f} ms, p99 {times[594] * 1000:.1f} ms")


if __name__ == "__main__":
    main()
