#!/usr/bin/env bash
# Makes sure that the browser of the end-to-end tests is here: Debian's Chromium, installed when we may.
set -euo pipefail

if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then
  exit 0
fi

say() {
  echo "The end-to-end tests drive a Chromium, and there is none. Install it with:" >&2
  echo "  sudo apt-get update && sudo apt-get install --yes chromium fonts-noto-cjk" >&2
}

if ! command -v apt-get >/dev/null; then
  say
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null || ! sudo --non-interactive true 2>/dev/null; then
    say
    exit 1
  fi
  as_root=(sudo --non-interactive)
fi
echo "Installing chromium and fonts-noto-cjk for the end-to-end tests …" >&2
if ! { "${as_root[@]}" apt-get update -qq && DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install --yes -qq chromium fonts-noto-cjk >/dev/null; }; then
  say
  exit 1
fi
