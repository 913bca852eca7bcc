#!/usr/bin/env python3
"""Builds the sample shop from the data beside the project: `python3 data/sample-shop/build/build.py [shared folder]`.

Needs Pillow and resvg_py. The result is committed, so that nobody needs this to run Mercer; it is here so that every row and
picture can be traced and made again. Everything that looks like chance (prices, stock, dates) follows from the product's id.
"""

import csv
import hashlib
import html
import io
import json
import re
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

import resvg_py
from PIL import Image

sys.path.insert(0, str(Path(__file__).parent))
from house import ROWS  # noqa: E402
from illustrate import COLOURS, draw  # noqa: E402
from table import COLOUR_ZH, GENDER_ZH, GOODS, KAGGLE, KAGGLE_DRESSES, LOOKS, LUMA_SHOWN, PATHS, PHOTOS  # noqa: E402

HERE = Path(__file__).resolve().parent.parent
SHARED = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[2] / "shared"
KEPT = Path(tempfile.gettempdir()) / "mercer-sample-shop"  # drawings of an earlier build
CATALOG, PICTURES, OUT = SHARED / "data/catalog", SHARED / "data/images", HERE / "images"
GENDER = {"women": ("女士", "Women's"), "men": ("男士", "Men's"), "girls": ("女童", "Girls'"), "unisex": ("男女同款", "Unisex"), None: ("", "")}
MATERIAL_ZH = {
    "Cotton": "棉", "Organic Cotton": "有机棉", "Wool": "羊毛", "Merino Wool": "美利奴羊毛", "Cashmere": "羊绒", "Silk": "桑蚕丝", "Linen": "亚麻", "Polyester": "聚酯纤维", "Nylon": "尼龙", "Spandex": "氨纶", "Viscose": "粘胶", "Rayon": "人造丝",
    "Leather": "真皮", "Suede": "麂皮", "Chiffon": "雪纺", "Satin": "缎面", "Lace": "蕾丝", "Velvet": "丝绒", "Duck Down": "鸭绒", "Goose Down": "鹅绒", "Canvas": "帆布", "Mesh": "网布", "Rubber": "橡胶", "Fleece": "抓绒", "Hemp": "麻", "Jersey": "针织布",
    "Microfiber": "超细纤维", "Acrylic": "腈纶", "Acetate": "板材", "Straw": "草编", "Pearl": "珍珠", "Alloy": "合金", "Ceramic": "陶瓷", "Steel": "不锈钢", "Stainless Steel": "不锈钢", "Paper": "纸", "Plastic": "塑料", "Metal": "金属", "Silicone": "硅胶", "Foam": "泡棉", "Burlap": "粗麻布", "Synthetic": "合成材料",
    "Lycra": "莱卡", "Tencel": "天丝",
}
SEASON_ZH = {"spring": "春", "summer": "夏", "autumn": "秋", "winter": "冬"}
SEASONS = list(SEASON_ZH)


def chance(key, below):
    """A number from 0 to `below` − 1 that only depends on the key."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:6], "big") % below


def tag_price(yuan):
    """The nearest price that ends in 9, as shops write them."""
    return max(9, round((yuan - 9) / 10) * 10 + 9)


def path_of(key, gender=None):
    keys = key.split("/")
    if len(keys) == 1:
        keys = [{"women": "w", "men": "m", "unisex": "u", "girls": "girls"}.get(gender, "home"), keys[0]]
    return [{"zh": PATHS[k][0], "en": PATHS[k][1]} for k in keys]


def photo(data, name, crop=False):
    """Writes a photo as WebP on a 4:5 ground, at most 640 pixels high; a scene is cropped, a cut-out gets a light ground."""
    image = Image.open(io.BytesIO(data))
    if image.mode in ("RGBA", "LA", "P"):
        image = image.convert("RGBA")
        box = image.getchannel("A").point(lambda a: 255 if a > 12 else 0).getbbox()
        image = image.crop(box)
        image.thumbnail((430, 540), Image.Resampling.LANCZOS)
        ground = Image.new("RGB", (512, 640), "#F4F1EA")
        ground.paste(image, ((512 - image.width) // 2, (640 - image.height) // 2), image)
        image = ground
    elif crop:
        image = image.convert("RGB")
        wide = min(image.width, round(image.height * 0.8))
        high = min(image.height, round(image.width / 0.8))
        left, top = (image.width - wide) // 2, (image.height - high) // 2
        image = image.crop((left, top, left + wide, top + high)).resize((512, 640), Image.Resampling.LANCZOS)
    target = OUT / f"{name}.webp"
    target.parent.mkdir(parents=True, exist_ok=True)
    image.convert("RGB").save(target, "WEBP", quality=82, method=6)
    return f"{name}.webp"


def drawing(name, thing, colour, **options):
    svg = draw(thing, colour, **options)
    target = OUT / f"{name}.webp"
    target.parent.mkdir(parents=True, exist_ok=True)
    kept = KEPT / f"{hashlib.sha256(svg.encode()).hexdigest()}.webp"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        image = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg))))
        image.convert("RGB").resize((512, 640), Image.Resampling.LANCZOS).save(kept, "WEBP", quality=84, method=6)
    shutil.copyfile(kept, target)
    return f"{name}.webp"


def stock_of(sku, gone=False):
    roll = chance("stock" + sku, 100)
    pieces = 0 if gone or roll < 7 else 1 + roll % 3 if roll < 18 else 6 + chance("pieces" + sku, 115)
    return {"stock": {"pieces": pieces}, "availability": "in_stock" if pieces else "out_of_stock"}


def money(yuan):
    return {"minor": round(yuan * 100), "currency": "CNY"}


class Shop:
    """Collects products in one form, whatever source they come from."""

    def __init__(self):
        self.products = []

    def add(self, pid, title, text, brand, category, gender, price, pictures, sizes, materials, seasons, usage, attributes, *, drawn, one_colour=None, rating=None, keep_price=False, variants=None):
        """`pictures` maps a colour (or "") to its picture files; `sizes` may be empty."""
        price = price if keep_price else tag_price(price)
        listed = tag_price(price * 1.3) if chance("sale" + pid, 100) < 18 else None
        gone = chance("gone" + pid, 37) == 0
        colours = [c for c in pictures if c]
        note = ("（插图）", " (illustration)") if drawn else ("", "")

        def alt(colour):
            zh, en = title["zh"], title["en"]
            colour_zh = "" if not colour or COLOUR_ZH.get(colour, colour) in zh else COLOUR_ZH.get(colour, colour) + " "
            colour_en = "" if not colour or colour.lower() in en.lower() else f", {colour}"
            return f"{colour_zh}{zh}{note[0]} / {en}{colour_en}{note[1]}"

        rows, images = [], []
        for colour, files in pictures.items():
            images += [{"source": f, "alt": alt(colour)} for f in files]
        pairs = variants or [(c, s) for c in pictures for s in (sizes or [""])]
        for colour, size in pairs:
            parts = [p for p in (pid, re.sub(r"[^a-z]+", "", colour.lower()) if len(colours) > 1 or sizes else "", size) if p]
            sku = "-".join(parts).upper()
            options = {k: v for k, v in (("Color", colour if len(colours) > 1 or sizes else ""), ("Size", size)) if v}
            row = {"sku": sku, "options": options, "price": money(price)}
            if listed:
                row["list_price"] = money(listed)
            row |= stock_of(sku, gone)
            if options.get("Color") and pictures.get(colour):
                row["image"] = {"source": pictures[colour][0], "alt": alt(colour)}
            if not options:
                del row["options"]
            rows.append(row)
        facts_zh, facts_en = [], []
        if materials:
            facts_zh.append("材质：" + "、".join(MATERIAL_ZH.get(m, m) for m in materials))
            facts_en.append("Material: " + ", ".join(materials))
        if seasons and len(seasons) < 4:
            facts_zh.append("适合" + "、".join(SEASON_ZH[s] + "季" for s in seasons))
            facts_en.append("For " + " and ".join(seasons))
        description = {
            "zh": text["zh"] + ("；".join(facts_zh) + "。" if facts_zh else ""),
            "en": text["en"].rstrip() + (" " + ". ".join(facts_en) + "." if facts_en else ""),
        }
        product = {"id": pid, "title": title, "description": description, "brand": brand, "category": path_of(category, gender), "colours": colours or ([one_colour] if one_colour else [])}
        if gender:
            product |= {"gender": gender, "age_group": "kids" if gender == "girls" else "adult"}
        product |= {"seasons": seasons, "usage": usage, "materials": materials, "attributes": attributes, "variants": rows, "images": images}
        product["popularity"] = 5 + chance("popular" + pid, 1800)
        if rating:
            product["rating_centistars"] = rating
        product["released"] = f"2026-{1 + chance('month' + pid, 9):02}-{1 + chance('day' + pid, 28):02}T00:00:00Z"
        self.products.append({k: v for k, v in product.items() if v not in (None, [], {}, "")})


def plain(text):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text or ""))).strip()


def sentences(text, limit=300):
    """Whole sentences before the first bullet, up to a length."""
    text = re.split(r"[•·]| - ", plain(text))[0].strip()
    kept = ""
    for sentence in re.findall(r"[^.!?]+[.!?]+(?:\s|$)", text):
        if kept and len(kept) + len(sentence) > limit:
            break
        kept += sentence
    return (kept or text).strip()


def luma(shop):
    words = dict((line.split("\t")[0], line.split("\t")[1:]) for line in (HERE / "build/luma_zh.tsv").read_text().splitlines())
    photos = zipfile.ZipFile(CATALOG / "magento/images-256.zip")
    names = {Path(n).name: n for n in photos.namelist()}
    ratings = {}
    for row in csv.DictReader((CATALOG / "magento/products_reviews.csv").open(encoding="utf-8-sig")):
        if row["rating_value"].isdigit():
            ratings.setdefault(row["sku"], []).append(int(row["rating_value"]) * 100)
    rating = lambda sku: round(sum(ratings[sku]) / len(ratings[sku])) if sku in ratings else None  # noqa: E731
    rows = list(csv.DictReader((CATALOG / "magento/configurable_products.csv").open(encoding="utf-8-sig")))
    simple = {r["sku"]: r for r in rows if r["product_type"] == "simple"}
    kinds = {"MH": "hoodie", "MJ": "jacket", "MS": "tee", "MT": "tank", "MP": "pants", "MSH": "shorts", "WH": "hoodie", "WJ": "jacket", "WS": "tee", "WB": "bra", "WT": "tank", "WP": "leggings", "WSH": "shorts"}
    for row in (r for r in rows if r["product_type"] == "configurable"):
        sku = row["sku"]
        gender = "men" if sku[0] == "M" else "women"
        facts = dict(p.split("=", 1) for p in row["additional_attributes"].split(",") if "=" in p)
        shown, pictures, variants, wanted = {}, {}, [], []
        for part in row["configurable_variations"].split("|"):
            options = dict(p.split("=", 1) for p in part.split(","))
            child = simple[options["sku"]]
            name = Path(child["base_image"]).name
            if name not in names:
                continue
            key = name.rsplit("_main", 1)[0]
            colour = LUMA_SHOWN.get(key, options["color"]).replace("Gray", "Grey")
            if key not in shown:
                shown[key] = photo(photos.read(names[name]), f"luma/{key}")
                pictures.setdefault(colour, []).append(shown[key])
            if (colour, options["size"]) not in wanted:
                wanted.append((colour, options["size"]))
        # The photo the table calls the main one comes first.
        main = Path(row["base_image"]).name.rsplit("_main", 1)[0]
        order = sorted(pictures, key=lambda c: shown.get(main) not in pictures[c])
        pictures = {c: pictures[c] for c in order}
        variants = [(c, s) for c in pictures for (c2, s) in wanted if c2 == c]
        materials = []
        for m in html.unescape(facts.get("material", "")).replace("®", "").replace("™", "").split("|"):
            m = m.replace("TENCEL", "Tencel").strip()
            if m and m in MATERIAL_ZH:
                materials.append(m)
        climate = set(facts.get("climate", "").split("|"))
        seasons = [s for s, signs in (("spring", {"Spring", "Mild"}), ("summer", {"Hot", "Warm"}), ("autumn", {"Cool", "Windy"}), ("winter", {"Cold", "Wintry"})) if climate & signs]
        style = html.unescape(facts.get("style_general", facts.get("style_bottom", ""))).replace("|", ", ")
        if "Insulated" in style and "winter" not in seasons:
            seasons.append("winter")
        kind = kinds[re.match(r"[A-Z]+", sku)[0]]
        if kind == "leggings" and any(w in row["name"] for w in ("Pant",)):
            kind = "pants"
        attributes = {"Pattern": facts.get("pattern", "").replace("|", ", "), "Style": style, "Eco": "yes" if facts.get("eco_collection") == "Yes" else ""}
        usage = ["Sports"] + (["Casual"] if kind in ("hoodie", "jacket", "tee") else [])
        title_zh, text_zh = words[sku]
        name = re.sub(r"\s+", " ", html.unescape(row["name"])).strip()
        shop.add(f"luma-{sku.lower()}", {"zh": title_zh, "en": f"{GENDER[gender][1]} {name}"}, {"zh": text_zh, "en": sentences(row["description"])}, "Luma", kind, gender, float(row["price"]) * 6.8,
                 pictures, True, materials, seasons, usage, {k: v for k, v in attributes.items() if v}, drawn=False, rating=rating(sku), variants=variants)
    gear = {"24-MB": "duffels", "24-UB": "duffels", "24-WB": "backpacks"}
    bags = {"Duffle": "bags/duffels", "Backpack": "bags/backpacks", "Messenger": "bags/messenger", "Tote": "bags/totes", "Pack": "bags/crossbody", "Bag": "bags/duffels"}
    for file, default in (("bags", gear), ("watches", None), ("fitness_equipment", None)):
        for row in csv.DictReader((CATALOG / f"magento/products_gear_{file}.csv").open(encoding="utf-8-sig")):
            sku, code = row["sku"], row["sku"][3:].lower()
            found = [n for n in names if re.fullmatch(code + r"-[a-z]+-0\.jpg", n)]
            if not found:
                continue
            colour = {"blue": "Blue", "gray": "Grey", "black": "Black", "green": "Green", "purple": "Purple", "red": "Red", "brown": "Brown", "bk": "Black", "br": "Brown", "gr": "Grey", "sa": "Beige", "lb": "Light Blue"}
            pictures = {colour[n.split("-")[1]]: [photo(photos.read(names[n]), f"luma/{n.rsplit('.', 1)[0]}")] for n in sorted(found)}
            name = html.unescape(row["name"]).strip()
            if code in ("wb05", "wb06"):
                pictures = {"Pink": next(iter(pictures.values()))}
            category = "acc/watches" if file == "watches" else "fit/gear" if file != "bags" else next(v for k, v in bags.items() if k in name)
            people = (row.get("gender") or "").split("\n")
            gender = ("men" if code[0] == "m" else "women" if code[0] == "w" and file != "fitness_equipment" else "unisex") if file != "watches" else "women" if people == ["Women"] else "men" if people == ["Men"] else "unisex"
            materials = [m for m in (row.get("material") or "").split("\n") if m in MATERIAL_ZH]
            title_zh, text_zh = words[sku]
            shop.add(f"luma-{sku.lower()}", {"zh": title_zh, "en": name}, {"zh": text_zh, "en": sentences(row["description"])}, "Luma", category, gender, float(row["price"]) * 6.8, pictures, [], materials, [], ["Sports"] + (["Casual"] if file != "fitness_equipment" else []),
                     {}, drawn=False, rating=rating(sku))


def own(shop):
    brands = {"w": "Mercer Atelier", "m": "Mercer Atelier", "u": "Mercer Basics", "girls": "Mercer Kids"}
    for pid, category, gender, zh, en, text_zh, text_en, price, colours, sizes, materials, seasons, usage, (thing, options) in ROWS:
        pid, colours = f"mercer-{pid.lower()}", colours.split(",")
        pictures = {}
        for colour in colours:
            pictures[colour] = [drawing(f"drawn/{pid}-{colour.lower().replace(' ', '-')}", thing, colour, **options)]
        pattern = {"dots": "Polka Dot", "floral": "Floral", "check": "Check", "stripes": "Striped", "pinstripes": "Pinstripe", "cable": "Cable Knit", "lace": "Lace", "knit": "Knit"}.get(options.get("pat"), "Solid")
        attributes = {"Pattern": pattern} if thing in ("dress", "coat", "blazer", "top", "pants", "skirt", "jumpsuit") else {}
        if thing == "dress":
            attributes["Length"] = options.get("length", "knee").capitalize()
            attributes["Sleeve"] = ["Sleeveless", "Short", "Elbow", "Long"][options.get("sleeves", 0)]
        elif thing == "top":
            attributes["Sleeve"] = ["Sleeveless", "Short", "Elbow", "Long"][options.get("sleeves", 1)]
        prefix = {"women": "女士", "men": "男士"}.get(gender, "")
        title_zh = zh if zh.startswith(("女", "男")) or category in ("w/dress", "w/skirt") or not prefix else prefix + zh
        title_en = en if category in ("w/dress", "w/skirt", "girls/dress") or gender == "unisex" or category.startswith(("bags", "acc", "shoes")) else f"{GENDER[gender][1]} {en}"
        if category.startswith(("bags", "acc")):
            title_zh = zh
        shop.add(pid, {"zh": title_zh, "en": title_en}, {"zh": text_zh, "en": text_en}, brands.get(category.split("/")[0], "Mercer Atelier"), category, gender, price, pictures, sizes.split(), materials.split(","),
                 [s for s in SEASONS if s in seasons], usage.split(","), attributes, drawn=True, keep_price=True)


def kaggle(shop):
    table = zipfile.ZipFile(CATALOG / "fashion-kaggle/styles.csv.zip")
    head = "id gender master sub type colour season year usage name".split()
    rows = [dict(zip(head, line.rstrip("\r\n").split(",", 9))) for line in io.TextIOWrapper(table.open("styles.csv"), encoding="utf-8")][1:]
    by_id = {r["id"]: r for r in rows}
    for kind, (category, noun, thing, (low, high), sizes, wanted) in KAGGLE.items():
        chosen = [by_id[i] for i in KAGGLE_DRESSES if i in by_id] if kind == "Dresses" else []
        for people, count in () if chosen else wanted.items():
            seen, taken = set(), 0
            for row in sorted((r for r in rows if r["type"] == kind and r["gender"] == people), key=lambda r: chance(r["id"], 1 << 40)):
                brand = brand_of(row)
                key = (brand, row["colour"])
                if brand is None or row["colour"] not in COLOURS or row["colour"] not in row["name"] or key in seen or re.search(r"\d{3}|Kids|Boy|Girl|Combo|Pack|Gift|Set|Underwear|Vest|Waistcoat|Short|Boot|Sandal|Wedge|Floater|Polo|Tshirt", row["name"]) or (kind == "Heels" and "Flat" in row["name"]):
                    continue
                seen.add(key)
                chosen.append(row)
                taken += 1
                if taken == count:
                    break
        for row in chosen:
            brand = brand_of(row) or ""
            looks = [(zh, pat) for word, zh, pat in LOOKS if re.search(rf"\b{word}\b", row["name"], re.I)]
            looks_zh = "".join(dict.fromkeys(zh for zh, _ in looks))
            pat = next((p for _, p in looks if p), None)
            colour = row["colour"]
            people = row["gender"]
            if kind == "Dresses" and people == "Girls":
                continue
            formal = row["usage"] == "Formal"
            noun_zh = "礼服裙" if kind == "Dresses" and row["usage"] in ("Formal", "Party") else noun
            gender_zh = GENDER_ZH[people] if category not in ("w/dress", "w/skirt") else ""
            zh = f"{brand} {gender_zh}{COLOUR_ZH[colour]}{looks_zh if noun_zh != '正装皮鞋' else looks_zh.replace('正装', '')}{noun_zh}"
            zh = re.sub(r"(?<=[一-鿿])(?=[A-Za-z])", " ", zh)
            en = re.sub(r"\s+", " ", row["name"]).strip()
            en = re.sub(r"\bDresses$", "Dress", en)
            drawn_as, options = sketch_of(kind, thing, row, pat)
            picture = drawing(f"drawn/k{row['id']}", drawn_as, colour, **options)
            seasons = [{"Fall": "autumn"}.get(row["season"], row["season"].lower())]
            usage = [row["usage"]] if row["usage"] not in ("NA", "") else []
            use_zh = {"Formal": "正式场合", "Casual": "日常", "Sports": "运动", "Party": "聚会派对", "Smart Casual": "商务休闲", "Travel": "旅行"}.get(row["usage"], "日常")
            text_zh = f"{brand} {row['year']} 年款，{COLOUR_ZH[colour]}{('、' + looks_zh) if looks_zh else ''}，{use_zh}穿搭皆宜。"
            text_en = f"A {colour.lower()} {noun_en(kind)} by {brand}, made for {(row['usage'] or 'everyday').lower() if row['usage'] != 'NA' else 'everyday'} wear."
            price = low + chance("price" + row["id"], high - low)
            if kind == "Dresses" and (formal or row["usage"] == "Party"):
                price += 260
            sizes_here = (FOOT_W if people == "Women" else sizes) if kind in ("Sports Shoes", "Casual Shoes") else sizes
            attributes = {"Year": row["year"]} | ({"Pattern": next(w for w, z, p in LOOKS if p and re.search(rf"\b{w}\b", row["name"], re.I))} if pat else {})
            shop.add(f"k{row['id']}", {"zh": zh, "en": en}, {"zh": text_zh, "en": text_en}, brand, category, people.lower(), price, {colour: [picture]}, sizes_here.split(), [], seasons, usage, attributes, drawn=True)


FOOT_W = "36 37 38 39"
BRANDS = (
    "French Connection|109F|Elle|Femella|AND|United Colors of Benetton|Sepia|Arrow Woman|Arrow|Avirate|Latin Quarters|Forever New|Tonga|Nike|ADIDAS|Puma|Reebok|Wrangler|Lee|Levis|Levi's|Scullers For Her|Scullers|Reid & Taylor|Park Avenue|"
    "Turtle|John Miller|Clarks|Carlton London|Catwalk|Rocia|Inc 5|Enroute|Baggit|Murcia|Kiara|Lino Perros|Rocky S|Yelloe|Fossil|Wildcraft|Timberland|Converse|Vans|Skechers|Peter England|Allen Solly|Van Heusen|Louis Philippe|"
    "Titan|Maxima|CASIO|Skagen|Ray-Ban|Fastrack|Spykar|Jealous 21|Flying Machine|Denizen|ONLY|Vero Moda|Mineral|Remanika|Urban Yoga|Numero Uno|Buckaroo|Lotto|Quechua|Hush Puppies|Provogue|Mark Taylor|Indigo Nation|Basics|Locomotive|Highlander|"
    "Gas|Kraus Jeans|Esprit|Hidekraft|Bulchee|American Tourister|Woodland|Red Tape|Franco Leone|ID|Spinn|Rockport|FILA|Asics|New Balance|W|Fabindia|Daniel Klein|Q&Q|Citizen|Timex|Aspen|Playboy|Image|Polaroid"
).split("|")


def brand_of(row):
    name = row["name"]
    found = next((b for b in sorted(BRANDS, key=len, reverse=True) if name.lower().startswith(b.lower() + " ")), None)
    return found


def noun_en(kind):
    return {"Dresses": "dress", "Jackets": "jacket", "Blazers": "blazer", "Sweaters": "sweater", "Shirts": "shirt", "Tops": "top", "Formal Shoes": "pair of formal shoes", "Heels": "pair of heels", "Flats": "pair of flats", "Casual Shoes": "pair of casual shoes", "Sports Shoes": "pair of sports shoes",
            "Handbags": "handbag", "Clutches": "clutch", "Backpacks": "backpack", "Wallets": "wallet", "Trousers": "pair of trousers", "Jeans": "pair of jeans", "Skirts": "skirt", "Jumpsuit": "jumpsuit", "Ties": "tie", "Scarves": "scarf", "Belts": "belt", "Caps": "cap", "Sunglasses": "pair of sunglasses", "Watches": "watch"}[kind]


def sketch_of(kind, thing, row, pat):
    """The drawing that agrees with what the row says; what it does not say is varied by id."""
    pick = chance("sketch" + row["id"], 6)
    female = row["gender"] == "Women"
    if kind == "Dresses":
        name = row["name"]
        if "Sheath" in name or row["usage"] == "Formal":
            return "dress", dict(shape="sheath", sleeves=(0, 1, 3)[pick % 3], neck=("v", "round")[pick % 2], pat=pat)
        if row["usage"] == "Party":
            return "dress", [dict(shape="slip", neck="strap", length="midi", pat=pat), dict(shape="aline", neck="square", belt=True, pat=pat), dict(shape="gown", neck="halter", length="maxi", pat=pat)][pick % 3]
        if "A-Line" in name:
            return "dress", dict(shape="aline", sleeves=pick % 2, belt=pick > 2, pat=pat)
        if "Knitted" in name:
            return "dress", dict(shape="knit", sleeves=3, pat="knit")
        return "dress", [dict(shape="aline", sleeves=0, belt=True, pat=pat), dict(shape="aline", sleeves=1, pat=pat), dict(shape="wrap", sleeves=2, neck="v", pat=pat), dict(shape="shirt", sleeves=2, pat=pat), dict(shape="aline", sleeves=1, puff=True, neck="square", pat=pat), dict(shape="slip", neck="strap", length="knee", pat=pat)][pick]
    name, options = thing
    options = dict(options)
    if kind in ("Shirts", "Sweaters", "Tops", "Skirts", "Scarves", "Ties", "Trousers") and pat and pat != "knit":
        options["pat"] = pat
    if kind == "Tops":
        options = [dict(kind="tee", sleeves=1, fitted=True), dict(kind="blouse", sleeves=3, fitted=True), dict(kind="tee", sleeves=0, fitted=True, neck="v"), dict(kind="tee", sleeves=1, puff=True, neck="square")][pick % 4] | ({"pat": pat} if pat else {})
    if kind == "Blazers":
        options = dict(female=female, inner="White", double=pick % 2 == 1)
    if kind == "Jackets":
        options = [dict(length="short", zip_=True), dict(length="hip", zip_=True, hood=True), dict(length="short", lapel=False), dict(length="hip", zip_=True)][pick % 4]
        if "Hood" in row["name"]:
            options = dict(length="hip", zip_=True, hood=True)
    if kind == "Heels":
        options = dict(kind=("pump", "sandalheel", "pump", "wedge")[pick % 4])
    if kind == "Trousers":
        options = dict(crease=True, kind=("wide", "skinny", "straight")[pick % 3] if female else "straight")
    if kind == "Jeans":
        options = dict(jeans=True, kind=("skinny", "flared", "straight")[pick % 3] if female else "straight")
    if kind == "Skirts":
        options |= dict(kind=("aline", "pleated", "pencil")[pick % 3], length=("knee", "mini", "midi")[pick % 3])
    if kind == "Handbags":
        options = dict(kind=("handbag", "tote", "crossbody")[pick % 3])
    if kind == "Scarves":
        options = dict(kind="scarf") | ({"pat": pat} if pat else {})
    return name, options


def photos(shop):
    brands = {"saleor": "Saleor", "solidus": "Solidus", "sylius": "Sylius"}
    for pid, source, files, category, gender, zh, en, text_zh, text_en, price, sizes, materials, seasons, usage in PHOTOS:
        pictures = {}
        for colour, paths in files.items():
            pictures[colour] = [photo((PICTURES / p).read_bytes(), f"{source}/{Path(p).stem}", crop=p.endswith("jpg")) for p in paths]
        shop.add(pid, {"zh": zh, "en": en}, {"zh": text_zh, "en": text_en}, brands[source], category, gender, price, pictures, sizes.split(), [m for m in materials.split(",") if m], [s for s in SEASONS if s in seasons], [u for u in usage.split(",") if u], {}, drawn=False)


def goods(shop):
    rows = {g["id"]: g for g in json.loads((CATALOG / "zh/litemall_goods.json").read_text())}
    for gid, en, text_en, category, thing, colour in GOODS:
        row = rows[gid]
        picture = drawing(f"drawn/yx{gid}", "home", colour, kind=thing)
        title = row["name"].strip()
        brief = "座深背软，陷进去就不想起来" if "MUJI" in row["brief"] else row["brief"]
        text = brief.strip().rstrip("。").replace(",", "，") + "。"
        attributes = {k: re.sub(r"\s+", " ", v).strip() for k, v in row["attributes"].items() if k in ("材质", "颜色", "产地", "工艺", "件数", "尺寸", "适用床尺寸", "填充物", "口味", "净含量") and len(v) < 80}
        shop.add(f"yx{gid}", {"zh": title, "en": en}, {"zh": text, "en": text_en}, None, f"home/{category}", None, float(row["retail_price"]), {colour: [picture]}, [], [], [], [], attributes, drawn=True, keep_price=True)


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    shop = Shop()
    for part in (own, luma, photos, kaggle, goods):
        before = len(shop.products)
        part(shop)
        print(f"{part.__name__}: {len(shop.products) - before} products")
    with (HERE / "products.jsonl").open("w", encoding="utf-8") as out:
        for product in shop.products:
            out.write(json.dumps(product, ensure_ascii=False, separators=(",", ":")) + "\n")
    files = [p for p in OUT.rglob("*") if p.is_file()]
    print(f"{len(shop.products)} products, {len(files)} pictures, {sum(p.stat().st_size for p in files) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
