"""The Python package: the module that CMake builds, its Python sources, and the device models. Run from the root."""

import os
import re
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def version():
    """Of the project, which CMakeLists.txt says."""
    with open(os.path.join(ROOT, "CMakeLists.txt")) as file:
        return re.search(r"project\(gdsim VERSION ([0-9.]+)", file.read()).group(1)


class BuildModule(build_ext):
    """Builds the module by the preset `python`: what is built already is not built again."""

    def build_extension(self, extension):
        subprocess.run([os.path.join(ROOT, "tools", "build"), "python", "gdsim_python"], check=True)
        target = self.get_ext_fullpath(extension.name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        built = os.path.join(ROOT, "build", "python", "python", "gdsim", os.path.basename(target))
        shutil.copyfile(built, target)


class BuildPackage(build_py):
    """Adds the models, with the words of vendors, and the scenarios."""

    def run(self):
        super().run()
        for folder in ("models", "scenarios"):
            target = os.path.join(self.build_lib, "gdsim", folder)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(os.path.join(ROOT, folder), target, ignore=self._no_data)

    @staticmethod
    def _no_data(folder, names):
        """Pictures and pages: no scenario reads them."""
        kept = [name for name in names if name.endswith((".yaml", ".csv")) or os.path.isdir(os.path.join(folder, name))]
        return [name for name in names if name == "pictures" or name not in kept]


setup(
    version=version(),
    packages=["gdsim"],
    package_dir={"": os.path.join("tools", "python")},
    package_data={"gdsim": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("gdsim._core", sources=[])],
    cmdclass={"build_ext": BuildModule, "build_py": BuildPackage},
    # Made in the folder of builds: the tree stays as it is.
    options={
        "build": {"build_base": os.path.join("build", "python-package")},
        "egg_info": {"egg_base": os.path.join("build")},
    },
    zip_safe=False,
)
