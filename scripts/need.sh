#!/usr/bin/env bash
# Says what is missing before a build starts, and how to get it. Usage: need.sh cargo|node …
set -euo pipefail

missing=0
for tool in "$@"; do
  case "$tool" in
    cargo)
      if ! command -v cargo >/dev/null; then
        echo "Rust is missing. Install it from rustup.rs, then run this again." >&2
        missing=1
      elif ! command -v cc >/dev/null; then
        echo "A C compiler is missing (SQLite is compiled from C). On Debian: apt install build-essential" >&2
        missing=1
      fi
      ;;
    node)
      if ! command -v npm >/dev/null; then
        echo "Node is missing (the web page is built with it). On Debian: apt install nodejs npm" >&2
        missing=1
      elif ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit((a === 20 && b >= 19) || (a === 22 && b >= 12) || a > 22 ? 0 : 1)'; then
        echo "Node $(node --version) is too old; 20.19 or 22.12 and newer work." >&2
        missing=1
      fi
      ;;
    *)
      echo "need.sh does not know $tool" >&2
      exit 2
      ;;
  esac
done
exit "$missing"
