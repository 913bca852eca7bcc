#!/usr/bin/env bash
# The engine in figures, and LangGraph's beside them when the Python in MERCER_PEERS_PYTHON (or python3) has it.
# Usage: scripts/bench-engine.sh [what figures takes, such as: threads=1,100 modes=sync]
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --package mercer-store --example figures
"${CARGO_TARGET_DIR:-target}/release/examples/figures" "$@"
echo
"${CARGO_TARGET_DIR:-target}/release/examples/figures" memory threads=1,100 modes=sync

python="${MERCER_PEERS_PYTHON:-python3}"
echo
if "$python" -c "import langgraph, langgraph.checkpoint.sqlite" 2>/dev/null; then
  "$python" benches/peers/langgraph_bench.py
else
  echo "LangGraph is not installed, so it was not measured: pip install langgraph langgraph-checkpoint-sqlite"
fi
