"""Tests what scripts/dev/check_macos finds in made-up programs and headers. Does not run the compilers and tools."""

import subprocess
import sys
import unittest
from pathlib import Path

from folders import FolderTest

LIBRARY = Path(__file__).resolve().parents[2] / "scripts" / "dev" / "lib"
sys.path.insert(0, str(LIBRARY))

import macos_inspect as inspect  # noqa: E402

EXPORTS = {"libtorch_cpu.dylib": {"_add", "_mul"}, "libc10.dylib": {"_warn"}, "libtorch.dylib": set()}
PLACES = {("/torch", "libtorch_cpu.dylib"), ("/torch", "libc10.dylib")}
GOOD = inspect.Program(
    libraries=["@rpath/libtorch_cpu.dylib", "@rpath/libc10.dylib", "/usr/lib/libSystem.B.dylib"],
    rpaths=["/torch"],
    taken={"libtorch_cpu.dylib": {"_add"}, "libc10.dylib": {"_warn"}, "libSystem.B.dylib": {"_read"}},
    least="14.0.0",
)
FRONT = inspect.Program(["/usr/lib/libSystem.B.dylib"], [], {"libSystem.B.dylib": {"_read"}}, "14.0.0")


class Inspect(unittest.TestCase):
    def found(self, **changes):
        return self.found_in(GOOD._replace(**changes))

    def found_in(self, program, least="14.0"):
        return inspect.findings(program, EXPORTS, least, lambda folder, file: (folder, file) in PLACES)

    def test_a_good_program(self):
        self.assertEqual(self.found(), [])
        self.assertEqual(self.found_in(FRONT), [])

    def test_faults(self):
        twice = "libc10.dylib appears twice in the load commands"
        nowhere = "leads to none of the libraries that are loaded"
        for changes, *expected in (
            ({"libraries": [*GOOD.libraries, "@rpath/libc10.dylib"]}, twice),
            ({"libraries": [*GOOD.libraries, "/torch/libc10.dylib"]}, twice),
            (
                {"taken": {"libtorch_cpu.dylib": {"_add", "_sub"}}},
                "imports _sub from libtorch_cpu.dylib, which does not export it",
            ),
            (
                {"taken": {"libtorch_cpu.dylib": {"_add"}, "libc10.dylib": {"_mul"}}},
                "imports _mul from libc10.dylib, which does not export it",
            ),
            ({"taken": {**GOOD.taken, "": {"_anywhere"}}}, "imports _anywhere without naming a library"),
            ({"taken": {}}, "loads LibTorch but imports nothing from it"),
            ({"rpaths": []}, "no LC_RPATH leads to libtorch_cpu.dylib", "no LC_RPATH leads to libc10.dylib"),
            ({"rpaths": ["/torch", "/torch"]}, "LC_RPATH /torch appears twice"),
            ({"rpaths": ["/torch", "/lib/intel64"]}, f"LC_RPATH /lib/intel64 {nowhere}"),
        ):
            self.assertEqual(self.found(**changes), expected)
        self.assertEqual(self.found_in(FRONT._replace(rpaths=["/torch"])), [f"LC_RPATH /torch {nowhere}"])

    def test_least_macos(self):
        for least in ("13.4.0", "15.0.0", "14.1.0"):
            self.assertEqual(self.found(least=least), [f"is built for macOS {least} and later; it must be 14.0"])
        self.assertEqual(inspect.version("14.0.0"), inspect.version("14"))
        self.assertLess(inspect.version("9.12"), inspect.version("13.4"))

    def test_least_macos_of_mps(self):
        library = b"\0other\0The MPS backend is supported on MacOS 14.0+. Current\0"
        self.assertEqual(inspect.mps_findings(library, "14.0"), [])
        for found, says, worker in ((library, "14.0", "12.3"), (b"", "nothing", "")):
            told = f"LibTorch's message on the macOS that MPS needs says {says}; our worker says {worker or 'nothing'}"
            self.assertEqual(inspect.mps_findings(found, worker), [told])


class Packages(FolderTest):
    """The folder in which CMake finds headers, made from made-up headers."""

    HEADERS = {
        "nlohmann/detail/abi_macros.hpp": "#define NLOHMANN_JSON_VERSION_{0}  // NOLINT\n",
        "CLI/Version.hpp": "#define CLI11_VERSION_{0}\n",
        "spdlog/version.h": "#define SPDLOG_VER_{0}\n",
    }

    def setUp(self):
        super().setUp()
        self.include, self.made = self.folder / "include", self.folder / "made"
        for name, line in self.HEADERS.items():
            self.state(name, "".join(line.format(part) for part in ("MAJOR 3", "MINOR 11", "PATCH 2")))
        self.state("boost/version.hpp", '#define BOOST_LIB_VERSION "1_74"\n')
        self.state("fmt/core.h", "#define FMT_VERSION 90100\n")

    def state(self, name, text):
        self.write(f"include/{name}", text)

    def run_it(self):
        places = [f"{name}={self.include}" for name in ("nlohmann_json", "CLI11", "Boost", "fmt", "spdlog")]
        command = [sys.executable, LIBRARY / "macos_packages.py", self.made, *places]
        return subprocess.run(command, capture_output=True, text=True)

    def test_versions_that_the_headers_state(self):
        versions = "nlohmann_json 3.11.2, CLI11 3.11.2, Boost 1.74, fmt 9.1.0, spdlog 3.11.2\n"
        self.assertEqual(self.run_it().stdout, versions)
        self.state("fmt/base.h", "#define FMT_VERSION 120201\n")
        self.assertIn("fmt 12.2.1", self.run_it().stdout)

    def test_headers_and_configurations(self):
        self.run_it()
        self.assertEqual((self.made / "include/fmt/core.h").read_text(), "#define FMT_VERSION 90100\n")
        config = (self.made / "lib/cmake/spdlog/spdlogConfig.cmake").read_text()
        for part in ("spdlog::spdlog_header_only INTERFACE", str(self.made / "include"), "SPDLOG_FMT_EXTERNAL"):
            self.assertIn(part, config)
        self.assertIn("PACKAGE_VERSION 3.11.2", (self.made / "lib/cmake/spdlog/spdlogConfigVersion.cmake").read_text())

    def test_header_without_a_version(self):
        self.state("fmt/core.h", "\n")
        done = self.run_it()
        self.assertEqual((done.returncode, done.stderr), (1, f"{self.include}/fmt/core.h states no version\n"))

    def test_headers_that_are_not_there(self):
        (self.include / "spdlog/version.h").unlink()
        self.assertIn("has none of spdlog/version.h", self.run_it().stderr)
