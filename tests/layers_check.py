"""Checks that the sources follow the layers: a layer may link only lower layers, and include only what it links.

    layers_check.py [ROOT]

Reads mpsbench_layer(NAME ... LINKS ...) in every CMakeLists.txt of src/. A folder inside another one may be a separate
layer: src/report/metrics is report_metrics, on the same level as report. Layers inside one folder may link each other
in one direction only. The same holds for the includes between all folders. Prints each violation, and exits with 1 if
there is any.
"""

import re
import sys
from pathlib import Path

LEVELS = {
    "base": 0,
    "stats": 1,
    "schema": 1,
    "input/text": 1,
    "input/dataset": 2,
    "model": 2,
    "measure": 2,
    "sensor": 2,
    "input/pipeline": 2,
    "suite": 3,
    "supervise": 3,
    "report": 3,
    "library": 4,
    "output": 4,
    "run": 5,
    "cli": 6,
    "device": 3,
    "nn": 3,
    "input/data": 3,
    "collective": 3,
    "step": 4,
    "worker": 5,
}
FRONT = {"sensor", "suite", "supervise", "report", "library", "output", "run", "cli"}
WORKER = {"input/pipeline", "device", "nn", "input/data", "collective", "step", "worker"}
TORCH = WORKER - {"input/pipeline"}
ACCELERATOR_FOLDERS = {"device", "step"}
NCCL_HEADER = re.compile(r"c10d/ProcessGroupNCCL\.hpp$")  # only in collective

LAYER = re.compile(r"mpsbench_layer\(\s*([^)]*)\)", re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
TORCH_HEADER = re.compile(r"^(torch|ATen|c10|caffe2)/")
ACCELERATOR_HEADER = re.compile(
    r"cuda|cudnn|cublas|nccl|nvml|^Metal/|^MetalPerformanceShaders|/mps/|/mps\.h|^Foundation/", re.IGNORECASE
)


def top(layer: str) -> str:
    """The row of LEVELS for LAYER: its own, or that of the folder that contains it."""
    return layer if layer in LEVELS else layer.split("/")[0]


def calls(root: Path) -> list[tuple[str, list[str]]]:
    """All calls of mpsbench_layer, each with its folder below src/."""
    return [
        (file.parent.relative_to(root / "src").as_posix(), call.split())
        for file in sorted((root / "src").glob("**/CMakeLists.txt"))
        for call in LAYER.findall(re.sub(r"#.*", "", file.read_text()))
    ]


def target(folder: str) -> str:
    return folder.replace("/", "_")


def read_links(root: Path) -> dict[str, set[str]]:
    """What each layer links. The name of a layer is its folder below src/."""
    links = {}
    for folder, words in calls(root):
        after_links = words[words.index("LINKS") + 1 :] if "LINKS" in words else []
        links[folder] = {word.removeprefix("mpsbench::") for word in after_links if word.startswith("mpsbench::")}
    folder_of = {target(folder): folder for folder in links}
    return {folder: {folder_of.get(name, name) for name in linked} for folder, linked in links.items()}


def check_names(root: Path) -> list[str]:
    return [
        f"src/{folder}: mpsbench_layer({words[0]} ...) is to be called {target(folder)}"
        for folder, words in calls(root)
        if words[0] != target(folder)
    ]


def sources(root: Path) -> dict[str, list[Path]]:
    """The sources and headers of every folder below src/."""
    found: dict[str, list[Path]] = {}
    for file in sorted((root / "src").rglob("*")):
        if file.suffix in {".cpp", ".hpp", ".h", ".mm"}:
            found.setdefault(file.parent.relative_to(root / "src").as_posix(), []).append(file)
    return found


def owner(path: str, links: dict[str, set[str]]) -> str | None:
    """The innermost layer that is the folder PATH or contains it."""
    parts = path.split("/")
    folders = ("/".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((folder for folder in folders if folder in links), None)


def reachable(links: dict[str, set[str]], layer: str) -> set[str]:
    """LAYER and everything that it links, directly or indirectly."""
    seen, waiting = set(), [layer]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            waiting.extend(links.get(current, ()))
    return seen


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """A path from a node of GRAPH back to itself. Empty if there is none."""
    done = set()

    def search(way: list[str]) -> list[str]:
        for following in sorted(graph.get(way[-1], ())):
            if following in way:
                return [*way[way.index(following) :], following]
            if following not in done and (found := search([*way, following])):
                return found
        done.add(way[-1])
        return []

    return next((found for start in sorted(graph) if start not in done and (found := search([start]))), [])


def check_links(links: dict[str, set[str]]) -> list[str]:
    """A link to another folder of src/ must lead to a lower level, so cycles are possible only inside a folder."""
    problems = []
    for layer, linked in sorted(links.items()):
        if top(layer) not in LEVELS:
            problems.append(f"src/{layer}: not a layer of the design")
            continue
        for other in sorted(linked):
            if other not in links or top(other) not in LEVELS:
                problems.append(f"src/{layer} links {other}, which is not a layer")
            elif top(other) == top(layer) and other != layer:
                continue
            elif LEVELS[top(other)] >= LEVELS[top(layer)]:
                problems.append(
                    f"src/{layer} (level {LEVELS[top(layer)]}) links {other} (level {LEVELS[top(other)]}): not below it"
                )
            elif (top(layer) in FRONT and top(other) in WORKER) or (top(layer) in WORKER and top(other) in FRONT):
                problems.append(f"src/{layer} links {other}: front and worker may share only the layers below both")
    inside = {layer: {other for other in linked if top(other) == top(layer)} for layer, linked in links.items()}
    round_trip = cycle({layer: linked - {layer} for layer, linked in inside.items()})
    if round_trip:
        problems.append("layers link each other in a circle: " + " -> ".join(round_trip))
    return problems


def check_include(layer: str, links: dict[str, set[str]], quoted: str, angled: str) -> str | None:
    """What is wrong with one include in LAYER. None if nothing is."""
    header = quoted or angled
    if quoted:
        theirs = owner(header.rpartition("/")[0], links)
        if theirs is None:
            folder = header.split("/")[0]
            return f'"{header}" needs a link to {folder}' if folder in LEVELS else f'"{header}" is not "layer/file.hpp"'
        if theirs not in reachable(links, layer):
            return f'"{header}" needs a link to {target(theirs)}'
    elif NCCL_HEADER.search(header):
        return None if layer == "collective" else f"<{header}>: NCCL belongs to src/collective"
    elif ACCELERATOR_HEADER.search(header) and top(layer) not in ACCELERATOR_FOLDERS:
        return f"<{header}>: device headers belong to src/device and src/step"
    elif TORCH_HEADER.match(header) and top(layer) not in TORCH:
        return f"<{header}>: this layer must not use LibTorch"
    return None


def check_includes(root: Path, links: dict[str, set[str]]) -> list[str]:
    problems, includes = [], {}
    for folder, files in sources(root).items():
        layer = owner(folder, links)
        if layer is None:
            problems.append(f"src/{folder}: its CMakeLists.txt has no mpsbench_layer({target(folder)} ...)")
            continue
        includes[folder] = set()
        for file in files:
            for quoted, angled in INCLUDE.findall(file.read_text()):
                problem = check_include(layer, links, quoted, angled)
                if problem:
                    problems.append(f"{file.relative_to(root)}: {problem}")
                elif quoted and quoted.rpartition("/")[0] != folder:
                    includes[folder].add(quoted.rpartition("/")[0])
    round_trip = cycle(includes)
    if round_trip:
        problems.append("folders include each other in a circle: " + " -> ".join(round_trip))
    return problems


def check_programs(root: Path) -> list[str]:
    """Programs use devices through the layers, too."""
    return [
        f"{file.relative_to(root)}: <{angled}>: device headers belong to src/device and src/step"
        for file in sorted((root / "apps").rglob("*.[ch]pp"))
        for _, angled in INCLUDE.findall(file.read_text())
        if ACCELERATOR_HEADER.search(angled)
    ]


def check(root: Path) -> list[str]:
    links = read_links(root)
    return check_names(root) + check_links(links) + check_includes(root, links) + check_programs(root)


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    problems = check(root)
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
