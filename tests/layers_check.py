"""Holds the sources against the layers: links go down only, and an include needs a link.

    layers_check.py [ROOT]

Reads mpsbench_layer(NAME ... LINKS ...) in src/*/CMakeLists.txt. Prints each violation and exits 1 if there is one.
"""

import re
import sys
from pathlib import Path

LEVELS = {
    "base": 0,
    "dataset": 1,
    "stats": 1,
    "schema": 1,
    "text": 1,
    "model": 2,
    "measure": 2,
    "sensor": 2,
    "pipeline": 2,
    "suite": 3,
    "supervise": 3,
    "report": 3,
    "output": 4,
    "cli": 5,
    "device": 3,
    "nn": 3,
    "data": 3,
    "step": 4,
    "worker": 5,
}
FRONT = {"sensor", "suite", "supervise", "report", "output", "cli"}
WORKER = {"pipeline", "device", "nn", "data", "step", "worker"}
TORCH = WORKER - {"pipeline"}
ACCELERATOR_FOLDERS = {"device", "step"}

LAYER = re.compile(r"mpsbench_layer\(\s*([^)]*)\)", re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
TORCH_HEADER = re.compile(r"^(torch|ATen|c10|caffe2)/")
ACCELERATOR_HEADER = re.compile(
    r"cuda|cudnn|cublas|nccl|nvml|^Metal/|^MetalPerformanceShaders|/mps/|/mps\.h|^Foundation/", re.IGNORECASE
)


def read_links(root: Path) -> dict[str, set[str]]:
    """Each layer with the layers it links."""
    links = {}
    for file in sorted((root / "src").glob("*/CMakeLists.txt")):
        text = re.sub(r"#.*", "", file.read_text())
        for call in LAYER.findall(text):
            words = call.split()
            after_links = words[words.index("LINKS") + 1 :] if "LINKS" in words else []
            links[words[0]] = {word.removeprefix("mpsbench::") for word in after_links if word.startswith("mpsbench::")}
    return links


def reachable(links: dict[str, set[str]], layer: str) -> set[str]:
    """LAYER and everything it links, directly or not."""
    seen, waiting = set(), [layer]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            waiting.extend(links.get(current, ()))
    return seen


def check_links(links: dict[str, set[str]]) -> list[str]:
    """Levels strictly fall along a link, so a graph that passes has no cycle."""
    problems = []
    for layer, linked in sorted(links.items()):
        if layer not in LEVELS:
            problems.append(f"src/{layer}: not a layer of the design")
            continue
        for other in sorted(linked):
            if other not in links or other not in LEVELS:
                problems.append(f"src/{layer} links {other}, which is no layer")
            elif LEVELS[other] >= LEVELS[layer]:
                problems.append(
                    f"src/{layer} (level {LEVELS[layer]}) links {other} (level {LEVELS[other]}): not below it"
                )
            elif (layer in FRONT and other in WORKER) or (layer in WORKER and other in FRONT):
                problems.append(f"src/{layer} links {other}: front and worker share only what both stand on")
    return problems


def check_include(layer: str, allowed: set[str], quoted: str, angled: str) -> str | None:
    """What is wrong with one include of LAYER, or None."""
    header = quoted or angled
    folder = header.split("/")[0]
    if quoted and folder not in allowed:
        return f'"{header}" needs a link to {folder}' if folder in LEVELS else f'"{header}" is not "layer/file.hpp"'
    if angled and ACCELERATOR_HEADER.search(header) and layer not in ACCELERATOR_FOLDERS:
        return f"<{header}>: device headers belong to src/device and src/step"
    if angled and TORCH_HEADER.match(header) and layer not in TORCH:
        return f"<{header}>: this layer does without LibTorch"
    return None


def check_includes(root: Path, links: dict[str, set[str]]) -> list[str]:
    problems = []
    for file in sorted((root / "src").glob("*/*")):
        if file.suffix not in {".cpp", ".hpp", ".h", ".mm"}:
            continue
        layer = file.parent.name
        allowed = reachable(links, layer)
        for quoted, angled in INCLUDE.findall(file.read_text()):
            problem = check_include(layer, allowed, quoted, angled)
            if problem:
                problems.append(f"{file.relative_to(root)}: {problem}")
    return problems


def check(root: Path) -> list[str]:
    links = read_links(root)
    folders = {path.name for path in (root / "src").iterdir() if any(path.glob("*.cpp"))}
    problems = [
        f"src/{folder}: its CMakeLists.txt has no mpsbench_layer({folder} ...)"
        for folder in sorted(folders - links.keys())
    ]
    return problems + check_links(links) + check_includes(root, links)


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    problems = check(root)
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
