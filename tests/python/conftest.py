"""What the tests of the Python module have in common. `tools/test python` runs them; `GDSIM_PROGRAM` is the program."""

import csv
import io
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios"
PROGRAM = os.environ.get("GDSIM_PROGRAM", str(ROOT / "build/python/tools/gdsim"))


def program(*words, status=0, given=None):
    """What the program writes to standard output; on another exit status than 0, to standard error."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, input=given)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def table(text):
    """Rows of a CSV, each a dict of texts."""
    return list(csv.DictReader(io.StringIO(text)))


KERNEL = """scenario: one kernel
device: tiny
parameters: {tile: 8}
kernels:
  k: {global: = tile * 8, local: 8, sub_group: 8, program: [{compute: 1 us}, barrier]}
launches: [{kernel: k}]
"""


@pytest.fixture
def kernel():
    return KERNEL
