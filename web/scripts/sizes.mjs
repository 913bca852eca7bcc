// What the shop room loads before its first paint, and after; compressed as a server would. Fails above the budget.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const BUDGET = 200 * 1024;
const dist = fileURLToPath(new URL("../dist", import.meta.url));
const assets = join(dist, "assets");
const files = readdirSync(assets).filter((f) => f.endsWith(".js"));
const source = Object.fromEntries(files.map((f) => [f, readFileSync(join(assets, f), "utf8")]));
const size = (f) => gzipSync(source[f], { level: 9 }).length;
const find = (prefix) => files.find((f) => f.startsWith(`${prefix}-`));
const closure = (entry, seen = new Set()) => {
  if (!entry || seen.has(entry)) return seen;
  seen.add(entry);
  for (const [, from] of source[entry].matchAll(/(?:^|[;}\s])(?:import|export)[^"'`()]*?["'`]\.\/([\w.-]+\.js)["'`]/g)) closure(from, seen);
  return seen;
};
const first = closure(find("index"));
closure(find("Shop"), first);
first.add("boot.js");
source["boot.js"] = readFileSync(join(dist, "boot.js"), "utf8");
const kb = (n) => `${(n / 1024).toFixed(1)} KB`.padStart(9);
let sum = 0;
console.log("first paint of the shop room");
for (const f of first) {
  sum += size(f);
  console.log(kb(size(f)), f);
}
console.log(kb(sum), "together, budget", kb(BUDGET).trim());
console.log("\nright after it");
for (const f of [...closure(find("Conversation"))].filter((f) => !first.has(f))) {
  first.add(f);
  console.log(kb(size(f)), f);
}
console.log("\nwhen needed (the engine with the first message, or when an answer is under way)");
for (const f of files.filter((f) => !first.has(f))) console.log(kb(size(f)), f);
if (sum > BUDGET) {
  console.error("over the budget");
  process.exit(1);
}
