#!/usr/bin/env bash
# Measures the release build on this machine: rows into the index, and the first answer of a cold process.
# Usage: scripts/bench.sh [feed [pictures]]; without a feed the sample shop.
set -euo pipefail
cd "$(dirname "$0")/.."

feed="${1:-data/sample-shop/products.jsonl}"
pictures="${2:-}"
cargo build --release --package mercer
program="${CARGO_TARGET_DIR:-target}/release/mercer"
data="$(mktemp -d)"
trap 'rm -rf "$data"' EXIT

milliseconds() {
  local from to
  from="$(date +%s%N)"
  "$@" >/dev/null
  to="$(date +%s%N)"
  echo $(((to - from) / 1000000))
}

extra=()
[ -z "$pictures" ] || extra=(--images "$pictures")
rows="$(wc -l <"$feed")"
took="$(milliseconds "$program" --data "$data" import products "$feed" "${extra[@]}")"
echo "import: $rows lines in $took ms"

for query in "winter coats for women" "红色连衣裙" "red dresses under 1000" "跑步短裤" "leather bag"; do
  for _ in 1 2 3 4; do
    milliseconds "$program" --data "$data" search "$query"
  done
done | sort -n | awk '{t[NR] = $1} END {printf "first answer of a cold process: n %d, median %d ms, slowest %d ms\n", NR, t[int((NR + 1) / 2)], t[NR]}'
