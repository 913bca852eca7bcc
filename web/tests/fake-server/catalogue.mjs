// A small made-up wardrobe for tests: products, their drawings, and a search by words.

const COLOURS = {
  red: { zh: "红色", hex: "#B4483A" },
  blue: { zh: "蓝色", hex: "#4A6899" },
  green: { zh: "绿色", hex: "#5E8069" },
  black: { zh: "黑色", hex: "#36343A" },
  white: { zh: "白色", hex: "#EFEAE0" },
  sand: { zh: "米色", hex: "#CDB796" },
};
const KINDS = {
  dress: { zh: "连衣裙", words: ["dress", "裙"], en: ["Wrap dress", "Linen midi dress", "Pleated dress", "Satin slip dress"], cn: ["裹身连衣裙", "亚麻中长连衣裙", "百褶连衣裙", "缎面吊带连衣裙"], from: 15900 },
  shirt: { zh: "衬衫", words: ["shirt", "衬衫"], en: ["Oxford shirt", "Silk shirt", "Camp collar shirt"], cn: ["牛津纺衬衫", "真丝衬衫", "古巴领衬衫"], from: 9900 },
  coat: { zh: "外套", words: ["coat", "jacket", "外套", "大衣"], en: ["Wool coat", "Quilted jacket", "Trench coat"], cn: ["羊毛大衣", "绗缝外套", "风衣"], from: 39900 },
  bag: { zh: "包", words: ["bag", "包"], en: ["Bucket bag", "Canvas tote"], cn: ["水桶包", "帆布托特包"], from: 12900 },
  shoe: { zh: "鞋", words: ["shoe", "sneaker", "鞋"], en: ["Leather loafer", "Canvas sneaker"], cn: ["皮质乐福鞋", "帆布鞋"], from: 19900 },
};
const STOCK = ["in_stock", "in_stock", "in_stock", "preorder", "in_stock", "out_of_stock", "unknown"];

export const products = [];
let n = 0;
for (const [kind, k] of Object.entries(KINDS)) {
  for (const [colour, c] of Object.entries(COLOURS)) {
    k.en.forEach((name, m) => {
      n++;
      const price = n % 23 === 0 ? null : k.from + ((n * 1700) % 24000);
      products.push({
        id: `P${String(1000 + n)}`,
        kind,
        colour,
        title: { en: `${name} in ${colour}`, zh: `${c.zh}${k.cn[m]}` },
        brand: ["Hewn", "Lao Mo", "Marl & Ash", null][n % 4],
        price,
        list_price: price !== null && n % 5 === 0 ? Math.round(price * 1.25) : null,
        availability: STOCK[n % STOCK.length],
        sizes: kind === "bag" ? [] : kind === "shoe" ? ["38", "39", "40", "41"] : ["S", "M", "L", "XL"],
        picture: n % 17 !== 0,
      });
    });
  }
}
export const byId = new Map(products.map((p) => [p.id, p]));

const yuan = (minor) => (minor === null ? null : `¥${(minor / 100).toLocaleString("en", { maximumFractionDigits: 2 })}`);

export function card(p, lang, matched = []) {
  return {
    id: p.id,
    title: p.title[lang],
    brand: p.brand,
    price: p.price,
    list_price: p.list_price,
    currency: "CNY",
    price_text: yuan(p.price),
    list_price_text: yuan(p.list_price),
    image: p.picture ? `/api/v1/products/${p.id}/image` : null,
    availability: p.availability,
    colours: [p.colour],
    matched,
    options: p.sizes.length ? [{ name: lang === "zh" ? "尺码" : "Size", values: p.sizes }] : [],
    why: matched.length ? matched.map((m) => (lang === "zh" ? `符合“${m}”` : `It meets “${m}”`)) : [],
  };
}

export function full(p) {
  const stocks = [4, 12, 0, 31];
  return {
    id: p.id,
    title: p.title,
    description: {
      en: "Cut from a cloth that keeps its shape. Washed once before it is sewn, so it will not shrink.\nMade in small series.",
      zh: "面料挺括，缝制前先水洗一次，不易缩水。\n小批量制作。",
    },
    brand: p.brand ?? undefined,
    category: [{ en: "Clothing", zh: "服饰" }, { en: p.kind, zh: KINDS[p.kind].zh }],
    colours: [p.colour],
    materials: p.kind === "shoe" ? ["leather"] : ["linen", "cotton"],
    seasons: ["summer"],
    attributes: { Care: "30 °C", Lining: p.price && p.price > 30000 ? "yes" : "no" },
    variants: (p.sizes.length ? p.sizes : [null]).map((size, m) => ({
      sku: `${p.id}-${size ?? "1"}`,
      ...(size ? { options: { Size: size } } : {}),
      ...(p.price !== null ? { price: { minor: p.price + m * 500, currency: "CNY" } } : {}),
      ...(p.list_price !== null ? { list_price: { minor: p.list_price, currency: "CNY" } } : {}),
      stock: { pieces: p.availability === "out_of_stock" ? 0 : stocks[m % 4] },
      availability: p.availability === "in_stock" && m === 2 ? "out_of_stock" : p.availability,
    })),
    images: p.picture ? [{ source: `${p.id}.svg` }, { source: `${p.id}-2.svg` }] : [],
    rating_centistars: 430,
  };
}

const SHAPES = {
  dress: "M160 96 q40 26 80 0 l14 60 -22 56 q58 130 66 214 q-98 34 -196 0 q8 -84 66 -214 l-22 -56 z",
  shirt: "M150 116 l36 -16 q14 18 28 0 l36 16 66 60 -36 44 -26 -22 v176 h-108 v-176 l-26 22 -36 -44 z",
  coat: "M146 100 l40 -16 14 26 14 -26 40 16 58 66 -20 150 -34 -6 v136 h-116 v-136 l-34 6 -20 -150 z M200 110 v330",
  bag: "M110 210 h180 l16 190 q-106 26 -212 0 z M150 210 q0 -90 50 -90 q50 0 50 90",
  shoe: "M90 250 q60 10 84 -40 q50 60 126 70 q26 6 24 50 h-234 z M90 330 h234 v22 h-234 z",
};

export function drawing(p, n = 0) {
  const { hex } = COLOURS[p.colour];
  const ground = ["#EFE9DD", "#E8E6DF", "#EDE4DC", "#E3E6E2"][(p.id.charCodeAt(4) + n) % 4];
  const flip = n % 2 ? 'transform="translate(400 0) scale(-1 1)"' : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 500"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".22"/><stop offset=".6" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".16"/></linearGradient></defs><rect width="400" height="500" fill="${ground}"/><ellipse cx="200" cy="452" rx="120" ry="11" fill="#000" opacity=".08"/><g ${flip}><path d="${SHAPES[p.kind]}" fill="${hex}" stroke="#000" stroke-opacity=".12" stroke-width="2" stroke-linejoin="round"/><path d="${SHAPES[p.kind]}" fill="url(#g)"/></g></svg>`;
}

/** Words to conditions, in the manner of the real thing but much more simply. */
export function understand(text, standing, lang) {
  const t = text.toLowerCase();
  const found = [];
  for (const [kind, k] of Object.entries(KINDS)) if (k.words.some((w) => t.includes(w))) found.push({ id: `category:${kind}`, field: "category", label: lang === "zh" ? k.zh : kind });
  for (const [colour, c] of Object.entries(COLOURS)) if (t.includes(colour) || t.includes(c.zh[0])) found.push({ id: `colour:${colour}`, field: "colour", label: lang === "zh" ? c.zh : colour });
  const price = /under (\d+)|(\d+) ?元?以下/.exec(t);
  if (price) {
    const amount = Number(price[1] ?? price[2]);
    found.push({ id: `price:${amount}`, field: "price", label: lang === "zh" ? `${amount} 元以下` : `under ¥${amount}` });
  }
  const fields = new Set(found.map((c) => c.field));
  return [...standing.filter((c) => !fields.has(c.field)), ...found];
}

export function search(conditions) {
  return products.filter((p) =>
    conditions.every((c) => {
      const value = c.id.split(":")[1];
      if (c.field === "category") return p.kind === value;
      if (c.field === "colour") return p.colour === value;
      if (c.field === "price") return p.price !== null && p.price <= Number(value) * 100;
      return true;
    }),
  );
}
