#!/bin/sh
# Collects the inputs with which fuzzing begins: seeds.sh FOLDER makes FOLDER/TARGET for every target, of files of this
# tree and of the kept corpus.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
folder=$1
for target in scenario device measured occupancy compiled placement_log profile; do
  mkdir -p "$folder/$target"
  cp "$here/corpus/$target"/* "$folder/$target"
done
cp "$root"/scenarios/*.yaml "$folder/scenario"
find "$root/tests/fixtures/bad" -name '*.yaml' -exec cp {} "$folder/scenario" \;
cp "$root"/tests/import/fixtures/small.* "$root"/tests/import/fixtures/amd.*.s "$folder/compiled"
find "$root/models" -name '*.yaml' ! -path '*/terms/*' -exec cp {} "$folder/device" \;
