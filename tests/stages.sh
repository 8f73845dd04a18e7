#!/bin/sh
# Some stages of tools/test take minutes and need much that is installed, and .ci/run has no time for them. Such a stage
# writes a digest of its own files into results/stages.csv when it has passed, and every tools/test fails as long as these
# files are others.
#
#   tests/stages.sh passed STAGE    the stage has passed
#   tests/stages.sh check           fails if files of a stage have changed since
set -eu
cd "$(dirname "$0")/.."
table=tests/results/stages.csv

files_of() {
  case $1 in
    browser) find sim/gdsim/page tests/browser -name node_modules -prune -o -type f -print ;;
    python) find pyproject.toml tests/python tools/python -type f ! -name '*.pyc' ;;
    wasm) find tests/playground tools/playground -type f ;;
    *) echo "tests/stages.sh: '$1' is not one of browser, python, wasm" >&2; exit 2 ;;
  esac
}

digest_of() {
  files=$(files_of "$1")
  echo "$files" | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum | sha256sum | cut -c 1-16
}

case $1 in
  passed)
    digest=$(digest_of "$2")
    grep -q "^[^,]*,$2,$digest," "$table" ||
      sed -i "s/^[^,]*,$2,.*/$(date +%F),$2,$digest,tools\/test $2/" "$table"
    ;;
  check)
    status=0
    for stage in browser python wasm; do
      grep -q "^[^,]*,$stage,$(digest_of $stage)," "$table" && continue
      echo "Files of \`tools/test $stage\` have changed: run it, and commit $table" >&2
      status=1
    done
    exit $status
    ;;
esac
