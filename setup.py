# SPDX-License-Identifier: Apache-2.0
"""Builds the Python package with CMake; pyproject.toml has the rest."""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).parent.resolve()
version = ".".join(re.findall(r"VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (root / "include/gravlet/version.h").read_text()))


class WithCMake(build_ext):
    def build_extension(self, extension):
        build, to = pathlib.Path(self.build_temp).resolve(), pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        off = [f"-DGRAVLET_{part}=OFF" for part in ("TESTS", "TOOLS", "EXAMPLES", "BENCHMARKS", "WERROR")]
        try:  # pip's, in an isolated build; else CMake looks for the system's
            import pybind11
            off.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
        except ImportError:
            pass
        subprocess.check_call(["cmake", "-S", root, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                               f"-DPython_EXECUTABLE={sys.executable}", *off, *os.environ.get("CMAKE_ARGS", "").split()])
        subprocess.check_call(["cmake", "--build", build, "--target", "gravlet_python"])
        to.mkdir(parents=True, exist_ok=True)
        for module in (build / "python/gravlet").glob("_gravlet*"):
            self.copy_file(module, to)


licences = ["LICENSE", *(str(path.relative_to(root)) for name in ("LICENSE*", "copyright")
                         for path in sorted(root.glob(f"third_party/*/{name}")))]
requires = ["numpy", *os.environ.get("GRAVLET_WHEEL_REQUIRES", "").split()]  # scripts/wheel: the MPI that it was built with
setup(version=version, install_requires=requires, license="Apache-2.0", license_files=licences, packages=["gravlet"],
      package_dir={"": "amr_adapter/python"}, package_data={"gravlet": ["py.typed", "*.pyi"]},
      ext_modules=[Extension("gravlet._gravlet", [])], cmdclass={"build_ext": WithCMake})
