#!/bin/sh
# Installs BUILD into a folder of its own; there the program finds its models, and a project of someone else's
# finds the library.
#
#   tests/package/test.sh BUILD
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake --install "$1" --prefix "$folder/usr" >/dev/null
share=$folder/usr/share/gdsim
cd "$folder"

# The source tree's models would do as well: only what is installed may be found.
[ "$(usr/bin/gdsim devices xe-lp-tgl --models "$share/models" | grep -c xe-lp-tgl)" -gt 0 ]
usr/bin/gdsim check "$share/scenarios/vector_add4.yaml"

cmake -S "$root/tests/package" -B consumer -G Ninja -DCMAKE_PREFIX_PATH="$folder/usr" >/dev/null
cmake --build consumer >/dev/null
[ "$(consumer/consumer "$share/scenarios/vector_add4.yaml" "$share/models" | tr '\n' ' ')" = "304 264 80 " ]
