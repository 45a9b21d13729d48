"""Checks programs for macOS against the LibTorch that they were linked with. Only reads the files; runs nothing.

    macos_inspect.py --torch FOLDER --least VERSION --mps VERSION PROGRAM...

FOLDER contains LibTorch's libraries. The versions are versions of macOS: --least is what our own code needs, --mps what
our worker says that MPS needs. Prints one line per program, then everything that is wrong. Exits with 1 if anything is.
"""

import argparse
import mmap
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

LIBTORCH = ("libtorch.dylib", "libtorch_cpu.dylib", "libc10.dylib")
RPATH = "@rpath/"
OF_MPS = re.compile(rb"The MPS backend is supported on macOS ([0-9.]*[0-9])", re.IGNORECASE)


class Program(NamedTuple):
    libraries: list[str]  # in the order and with the names of the load commands
    rpaths: list[str]
    taken: dict[str, set[str]]  # imported symbols by the library's file name; "" if no library is named
    least: str  # the oldest macOS that the program runs on


def version(text: str) -> tuple[int, ...]:
    """The version as numbers, without zeros at the end, so that 14.0 equals 14.0.0."""
    parts = [int(part) for part in text.split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def twice(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def file_name(library: str) -> str:
    return PurePosixPath(library).name


def path_findings(program: Program, holds: Callable[[str, str], bool]) -> list[str]:
    """What is wrong with the program's search paths. HOLDS(folder, file) says whether a folder has a file."""
    wanted = [library.removeprefix(RPATH) for library in program.libraries if library.startswith(RPATH)]
    found = [f"LC_RPATH {rpath} appears twice" for rpath in twice(program.rpaths)]
    for name in wanted:
        if not any(holds(rpath, name) for rpath in program.rpaths):
            found.append(f"no LC_RPATH leads to {name}")
    for rpath in dict.fromkeys(program.rpaths):
        if not any(holds(rpath, name) for name in wanted):
            found.append(f"LC_RPATH {rpath} leads to none of the libraries that are loaded")
    return found


def symbol_findings(program: Program, exports: Mapping[str, set[str]]) -> list[str]:
    """What is wrong with the imported symbols. EXPORTS has the symbols that each library of LibTorch exports."""
    found = [f"imports {symbol} without naming a library" for symbol in sorted(program.taken.get("", set()))]
    for library, symbols in sorted(program.taken.items()):
        if library in exports:
            missing = sorted(symbols - exports[library])
            found += [f"imports {symbol} from {library}, which does not export it" for symbol in missing]
    loaded = {file_name(library) for library in program.libraries} & set(exports)
    if loaded and not any(program.taken.get(library) for library in loaded):
        found.append("loads LibTorch but imports nothing from it")
    return found


def findings(
    program: Program, exports: Mapping[str, set[str]], least: str, holds: Callable[[str, str], bool]
) -> list[str]:
    """What is wrong with PROGRAM, which must run on macOS LEAST and later."""
    found = [f"{name} appears twice in the load commands" for name in twice(map(file_name, program.libraries))]
    found += path_findings(program, holds) + symbol_findings(program, exports)
    if version(program.least) != version(least):
        found.append(f"is built for macOS {program.least} and later; it must be {least}")
    return found


def mps_findings(library: bytes | mmap.mmap, least: str) -> list[str]:
    """Compares LEAST, the macOS that we say MPS needs, with the version in a message of LibTorch's LIBRARY."""
    told = sorted({found.decode() for found in OF_MPS.findall(library)})
    if told == [least]:
        return []
    theirs, ours = " or ".join(told) or "nothing", least or "nothing"
    return [f"LibTorch's message on the macOS that MPS needs says {theirs}; our worker says {ours}"]


def least_of(binary) -> str:
    return ".".join(str(part) for part in binary.build_version.minos)


def parse(path: Path):
    import lief

    lief.logging.disable()  # it warns about things that our programs do not have

    return lief.MachO.parse(str(path)).at(0)


def read_program(path: Path) -> Program:
    binary = parse(path)
    libraries = [library.name for library in binary.libraries]
    taken: dict[str, set[str]] = {}
    for symbol in binary.imported_symbols:
        number = symbol.library_ordinal  # counts from 1; 0 is the program itself; other values mean any library
        if number == 0:
            continue
        library = file_name(libraries[number - 1]) if 1 <= number <= len(libraries) else ""
        taken.setdefault(library, set()).add(symbol.name)
    return Program(libraries, [rpath.path for rpath in binary.rpaths], taken, least_of(binary))


def summary(program: Program) -> str:
    counts = [f"{len(program.taken[name])} symbols from {name}" for name in LIBTORCH if name in program.taken]
    return ", ".join([f"macOS {program.least}", *counts])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--torch", type=Path, required=True)
    parser.add_argument("--least", required=True)
    parser.add_argument("--mps", required=True)
    parser.add_argument("programs", type=Path, nargs="+")
    arguments = parser.parse_args()

    libraries = {name: parse(arguments.torch / name) for name in LIBTORCH}
    exports = {name: {symbol.name for symbol in library.exported_symbols} for name, library in libraries.items()}
    least = max(arguments.least, *map(least_of, libraries.values()), key=version)
    with (arguments.torch / "libtorch_cpu.dylib").open("rb") as file:
        found = mps_findings(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), arguments.mps)
    for path in arguments.programs:
        program = read_program(path)
        print(f"{path.name}: {summary(program)}")
        of_program = findings(program, exports, least, lambda folder, file: Path(folder, file).exists())
        found += [f"{path.name}: {finding}" for finding in of_program]
    for finding in found:
        print(f"WRONG  {finding}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
