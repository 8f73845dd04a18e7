"""Builds the wheel: setuptools', with the package and its setup.py in this folder, for the root has no room for more."""

import os

from setuptools.build_meta import _BuildMetaBackend


class _Backend(_BuildMetaBackend):
    def run_setup(self, setup_script="setup.py"):
        super().run_setup(os.path.join("tools", "python", setup_script))


_backend = _Backend()
build_wheel = _backend.build_wheel
build_sdist = _backend.build_sdist
get_requires_for_build_wheel = _backend.get_requires_for_build_wheel
get_requires_for_build_sdist = _backend.get_requires_for_build_sdist
prepare_metadata_for_build_wheel = _backend.prepare_metadata_for_build_wheel
