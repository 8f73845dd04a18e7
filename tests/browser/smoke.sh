#!/bin/sh
# Opens one page of each kind in a browser, where there is one. Installs no Debian packages: without a browser, or without
# what drives it, it says why it is skipped. `tools/test browser` installs both, and looks at far more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
skip() {
  echo "tests/browser: the smoke test of pages is skipped: $1 (tools/test browser installs what it needs)"
  exit 0
}
browser=$(command -v "${CHROMIUM:-chromium}") || skip "${CHROMIUM:-chromium} is not installed"
command -v node >/dev/null || skip "node is not installed"
if [ ! -d "$here/node_modules/puppeteer-core" ]; then
  command -v npm >/dev/null || skip "npm is not installed, and puppeteer-core is not in tests/browser/node_modules"
  (cd "$here" && npm ci --no-audit --no-fund --silent) || skip "npm ci could not fetch puppeteer-core"
fi
"$here/../../tools/build" release gdsim gdsim_all
cd "$here" && CHROMIUM=$browser exec node --test smoke_test.mjs
