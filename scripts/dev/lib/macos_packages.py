"""Makes a folder in which CMake finds header-only packages, for cross-compiling with the headers of this system.

    macos_packages.py FOLDER [NAME=INCLUDE]...

FOLDER gets include/, with a link to each package's headers, and for each package a CMake configuration with the version
that the headers state. The headers are in /usr/include, or in INCLUDE if the package is named with one. Prints the
versions.
"""

import re
import shutil
import sys
from pathlib import Path
from typing import NamedTuple


class Package(NamedTuple):
    headers: str  # the folder of its headers, below include/
    version_in: tuple[str, ...]  # the version is in the first of these files that exists
    version: str  # a pattern whose groups are the version's parts; a single group is the whole version
    target: str
    definitions: str = ""
    links: str = ""


MACROS = (
    r"define \w+_VER(?:SION)?_MAJOR +(\d+).*define \w+_VER(?:SION)?_MINOR +(\d+).*define \w+_VER(?:SION)?_PATCH +(\d+)"
)
PACKAGES = {
    "nlohmann_json": Package("nlohmann", ("nlohmann/detail/abi_macros.hpp",), MACROS, "nlohmann_json::nlohmann_json"),
    "CLI11": Package("CLI", ("CLI/Version.hpp",), MACROS, "CLI11::CLI11"),
    "Boost": Package("boost", ("boost/version.hpp",), r'define BOOST_LIB_VERSION "(\w+)"', "Boost::headers"),
    "fmt": Package("fmt", ("fmt/base.h", "fmt/core.h"), r"define FMT_VERSION (\d+)", "fmt::fmt", "FMT_HEADER_ONLY"),
    "spdlog": Package(
        "spdlog", ("spdlog/version.h",), MACROS, "spdlog::spdlog_header_only", "SPDLOG_FMT_EXTERNAL", "fmt::fmt"
    ),
}
CONFIG = """add_library({0.target} INTERFACE IMPORTED)
set_target_properties(
  {0.target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "{1}"
                        INTERFACE_COMPILE_DEFINITIONS "{0.definitions}" INTERFACE_LINK_LIBRARIES "{0.links}")
"""
CONFIG_VERSION = """set(PACKAGE_VERSION {})
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"""


def version_of(package: Package, include: Path) -> str:
    file = next((include / name for name in package.version_in if (include / name).exists()), None)
    if file is None:
        raise SystemExit(f"{include} has none of {', '.join(package.version_in)}")
    found = re.search(package.version, file.read_text(encoding="utf-8"), re.DOTALL)
    if found is None:
        raise SystemExit(f"{file} states no version")
    if len(found.groups()) > 1:
        return ".".join(found.groups())
    whole = found.group(1)
    if "_" in whole:
        return whole.replace("_", ".")
    number = int(whole)  # 120201 is 12.2.1
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def add(folder: Path, name: str, include: Path) -> str:
    package = PACKAGES[name]
    version = version_of(package, include)
    (folder / "include" / package.headers).symlink_to((include / package.headers).resolve())
    configs = folder / "lib" / "cmake" / name
    configs.mkdir(parents=True)
    (configs / f"{name}Config.cmake").write_text(CONFIG.format(package, folder / "include"), encoding="utf-8")
    (configs / f"{name}ConfigVersion.cmake").write_text(CONFIG_VERSION.format(version), encoding="utf-8")
    return f"{name} {version}"


def main() -> None:
    folder = Path(sys.argv[1]).absolute()
    places = dict(argument.split("=", 1) for argument in sys.argv[2:])
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "include").mkdir(parents=True)
    print(", ".join(add(folder, name, Path(places.get(name, "/usr/include"))) for name in PACKAGES))


if __name__ == "__main__":
    main()
