#!/bin/sh
# Builds the portable wheel without an index, installs it into an environment of its own, and uses it from another folder.
#
#   tests/python/wheel.sh
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

status=$(git -C "$root" status --porcelain --untracked-files=all 2>/dev/null || true)
wheel=$("$root/tools/package" wheel)
after=$(git -C "$root" status --porcelain --untracked-files=all 2>/dev/null || true)
[ "$status" = "$after" ] || { echo "the wheel changed the sources: $after" >&2; exit 1; }

# NumPy is Debian's; the wheel holds everything else that it needs, but for glibc.
/usr/bin/python3 -m venv --system-site-packages "$folder/own"
"$folder/own/bin/python" -m pip install --no-index -q "$wheel"
cd "$folder"
unset PYTHONPATH GDSIM_MODELS
"$folder/own/bin/python" - "$folder/own" <<'PYTHON'
import sys
from importlib.metadata import version

import gdsim

assert gdsim.__file__.startswith(sys.argv[1]), gdsim.__file__
assert version("gdsim") == gdsim.__version__
assert len(gdsim.devices()) > 50
kernel = gdsim.Kernel("k", global_size=4096, local=256, sub_group=32, registers=72, program=[gdsim.compute("1 us")])
assert gdsim.run("scenarios/vector_add4.yaml").phases["occupancy_percent"][0] > 45  # the package's own
run = gdsim.run(gdsim.Workload("from a wheel", "a100-80gb", [kernel], [gdsim.Launch(kernel)]))
assert run.outcome == "completed" and run.timeline["threads_resident"].max() == 128, run
print(f"tests/python/wheel.sh: the wheel of gdsim {gdsim.__version__} works")
PYTHON
# The tests that need nothing but the package and the program, with the installed one.
export GDSIM_PROGRAM="$root/build/python/tools/gdsim"
"$folder/own/bin/python" -m pytest -q -p no:cacheprovider "$root/tests/python/test_package.py" "$root/tests/python/test_arrays.py"
