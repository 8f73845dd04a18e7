#!/bin/sh
# Some stages of tools/test take minutes and need much that is installed, and .ci/run has no time for them. Such a stage
# writes a digest of its own files into results/stages.csv when it has passed, and every tools/test fails as long as these
# files are others.
#
#   tests/stages.sh digest STAGE           prints the digest of the stage's files
#   tests/stages.sh passed STAGE DIGEST    the stage has passed, with these files
#   tests/stages.sh check                  fails if files of a stage are others than those that passed
set -eu
cd "$(dirname "$0")/.."
table=tests/results/stages.csv
stages="browser python wasm"

fail() {
  echo "tests/stages.sh: $1" >&2
  exit 2
}

digest_of() {
  case $1 in
    browser) paths="sim/gdsim/page tests/browser tools/gdsim/serve" ;;
    python) paths="pyproject.toml tests/python tools/package tools/python" ;;
    wasm) paths="tests/browser/package.json tests/browser/package-lock.json tests/browser/pages.mjs
      tests/playground tools/playground" ;;
    *) fail "'$1' is none of: $stages" ;;
  esac
  # Without Git, these folders hold nothing else but what a stage puts there.
  # shellcheck disable=SC2086  # several words
  files=$(git ls-files -- $paths 2>/dev/null) ||
    files=$(find $paths -type f ! -path '*/node_modules/*' ! -name '*.pyc')
  sums=$(echo "$files" | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum) || fail "the files of $1 cannot be read"
  echo "$sums" | sha256sum | cut -c 1-16
}

is_passed() {
  grep -q "^[^,]*,$1,$2," "$table"
}

case ${1-} in
  digest) digest_of "${2-}" ;;
  passed)
    grep -q "^[^,]*,$2," "$table" || fail "$table has no row of '$2'"
    is_passed "$2" "$3" || sed -i "s/^[^,]*,$2,.*/$(date +%F),$2,$3,tools\/test $2/" "$table"
    ;;
  check)
    status=0
    for stage in $stages; do
      digest=$(digest_of "$stage")
      is_passed "$stage" "$digest" && continue
      echo "Files of \`tools/test $stage\` have changed: run it, and commit $table" >&2
      status=1
    done
    exit $status
    ;;
  *) fail "say what: digest, passed or check" ;;
esac
