#!/usr/bin/env bash
# Drives the page in a browser against the real program: its own port, its own empty data folder, the sample shop, no model.
# Last an import puts another catalogue on the shelves. What only a shop that misbehaves on demand can show (answers that fail, lines
# that break) is tried against the stand-in in web/tests/fake-server.
set -euo pipefail
cd "$(dirname "$0")/.."

# The same selection as the tests build, so that nothing is compiled twice.
cargo build --workspace --bins
program="${CARGO_TARGET_DIR:-target}/debug/mercer"
data="$(mktemp -d)"
free_port() {
  node -e 'const s = require("net").createServer(); s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}
port="$(free_port)"
url="http://127.0.0.1:$port"

env -u MERCER_MODEL -u MERCER_BASE_URL -u MERCER_API_KEY "$program" --data "$data" serve --demo --listen "127.0.0.1:$port" >"$data/log" 2>&1 &
server=$!
finish() {
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  rm -rf "$data"
}
trap finish EXIT

for _ in $(seq 1 240); do
  if node -e "fetch('$url/api/v1/status').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"; then
    break
  fi
  if ! kill -0 "$server" 2>/dev/null; then
    echo "The program stopped before it answered:" >&2
    cat "$data/log" >&2
    exit 1
  fi
  sleep 0.5
done

cd web
status=0
MERCER_URL="$url" MERCER_IMPORT=1 npm run --silent e2e || status=$?
if [ "$status" -ne 0 ]; then
  echo "The program's last words:" >&2
  tail -n 40 "$data/log" >&2
fi
FAKE_PORT="$(free_port)" npm run --silent e2e -- --project rooms --grep @stand-in || status=$?
exit "$status"
