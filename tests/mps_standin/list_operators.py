"""Lists the operators that this LibTorch supports on MPS, so that the stand-in can refuse all others.

Reads the wheel's native_functions.yaml, line by line, because that needs no package. Writes two lists for C++:
kMpsOperators has all operators with a kernel for MPS; kMpsWhole has those of them that LibTorch would decompose on a
device without such a kernel.
"""

import re
import sys
from pathlib import Path


class Function:
    def __init__(self, schema):
        self.name = schema.split("(", 1)[0]
        self.is_view = re.search(r"-> .*\([a-z](, [a-z])*\)", schema) is not None
        self.delegate, self.keys = None, set()

    def add(self, indent, key, value):
        if indent == 2 and key == "structured_delegate":
            self.delegate = value
        elif indent == 4:
            self.keys |= {one.strip() for one in key.split(",")}


def read(path):
    """All functions of the file. The keys of their dispatch tables are indented by four."""
    functions = []
    in_dispatch = False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("- func: "):
            functions.append(Function(line.removeprefix("- func: ")))
            in_dispatch = False
        elif found := re.match(r"( +)([\w, ]+):\s*(\S*)", line):
            indent = len(found[1])
            if indent == 2:
                in_dispatch = found[2] == "dispatch"
            if functions and (indent == 2 or in_dispatch):
                functions[-1].add(indent, found[2], found[3])
    return functions


def listed(functions):
    has_kernel = {one.name for one in functions if "MPS" in one.keys}
    return [one for one in functions if one.name in has_kernel or one.delegate in has_kernel]


def main():
    source, target = map(Path, sys.argv[1:])
    all_listed = listed(read(source))
    if len(all_listed) < 300:
        sys.exit(f"{source}: only {len(all_listed)} operators for MPS; has the format changed?")
    composite = [one for one in all_listed if any(key.startswith("Composite") for key in one.keys)]
    whole = [one for one in composite if "MPS" in one.keys and not one.is_view]
    lists = {"kMpsOperators": all_listed, "kMpsWhole": whole}
    text = "".join(
        f"inline constexpr const char* {name}[] = {{\n" + "".join(f'    "{one.name}",\n' for one in functions) + "};\n"
        for name, functions in lists.items()
    )
    target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
