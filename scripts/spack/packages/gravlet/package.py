# SPDX-License-Identifier: Apache-2.0
# From the checkout that this file lies in. docs/packages.md tells how, and what has been tried.
import pathlib

from spack.package import *

try:  # Spack 1.0 on; before, spack.package has them
    from spack_repo.builtin.build_systems.cmake import CMakePackage
    from spack_repo.builtin.build_systems.cuda import CudaPackage
except ImportError:
    pass


class Gravlet(CMakePackage, CudaPackage):
    """Barnes-Hut gravity for adaptive-mesh-refinement codes, on GPUs and CPUs, over MPI."""

    git = pathlib.Path(__file__).resolve().parents[4].as_uri()

    license("Apache-2.0")

    version("main", branch="main")

    variant("shared", default=True, description="Build a shared library")
    variant("fortran", default=True, description="Build the Fortran module")
    variant("tools", default=True, description="Build the gravlet command")
    variant("fftw", default=True, description="Sum meshes of one level by FFTW on CPUs")
    variant("python", default=False, description="Build the Python package")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.24:", type="build")
    depends_on("mpi")
    depends_on("hdf5")
    depends_on("fftw-api@3", when="+fftw")
    depends_on("highway")
    depends_on("fmt")
    depends_on("cuda@12:", when="+cuda")
    depends_on("thrust")  # on the CPU; nvcc brings its own
    with when("+tools"):
        depends_on("yaml-cpp")
        depends_on("cli11")
        depends_on("nlohmann-json")
        depends_on("p4est+mpi")
    with when("+python"):
        extends("python")
        depends_on("py-pybind11", type=("build", "link"))
        depends_on("py-numpy", type="run")
        depends_on("py-mpi4py", type="run")

    conflicts("cuda_arch=none", when="+cuda", msg="a GPU build needs cuda_arch, such as 90")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("GRAVLET_CUDA", "cuda"),
            self.define_from_variant("GRAVLET_FORTRAN", "fortran"),
            self.define_from_variant("GRAVLET_TOOLS", "tools"),
            self.define_from_variant("GRAVLET_FFTW", "fftw"),
            self.define_from_variant("GRAVLET_PYTHON_PACKAGE", "python"),
            self.define("GRAVLET_BUNDLED", False),
            self.define("GRAVLET_TESTS", False),
            self.define("GRAVLET_EXAMPLES", False),
            self.define("GRAVLET_BENCHMARKS", False),
            self.define("GRAVLET_WERROR", False),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
