"""The files that fuzzing starts from: this project's own files, shortened, because libFuzzer tries small files more."""

import json
import struct
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ITEMS = 3  # how many items of a list are kept
LARGEST_DEFINITION = 2000  # bytes


def cut(value: object) -> object:
    """VALUE with shortened lists."""
    if isinstance(value, dict):
        return {key: cut(inner) for key, inner in value.items()}
    return [cut(inner) for inner in value[:ITEMS]] if isinstance(value, list) else value


def small_report(report: dict, index: int) -> dict:
    """REPORT with only the case at INDEX, two of its launches, and what belongs to it."""
    case = report["cases"][index]
    run = report["run"]
    kept = {**case, "launches": case["launches"][:2]}
    definition = case["definition_sha256"]
    definitions = {key: value for key, value in run["definitions"].items() if key == definition}
    planned = [one for one in run["planned"] if one["id"] == case["id"]]
    run = {**run, "plan": [case["id"]], "planned": planned, "definitions": definitions}
    return {**report, "run": run, "cases": [{**cut(kept), "spec": kept["spec"]}]}


def reports() -> list[dict]:
    found = []
    for path in sorted((ROOT / "results").glob("**/*.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        for index in range(min(4, len(report["cases"]))):
            small = small_report(report, index)
            if len(json.dumps(small["run"]["definitions"])) <= LARGEST_DEFINITION:
                found.append(small)
    return found


def as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def journal(report: dict) -> bytes:
    first = {"journal_version": 1, "process": 1} | {key: report[key] for key in ("tool", "run", "host")}
    libtorch = report["host"]["libtorch"]
    lines = [first, {"libtorch": libtorch}] if libtorch else [first]
    for case in report["cases"]:
        lines += [{"case": case["id"], "launch": launch} for launch in case["launches"]]
    return b"".join(as_json(line) + b"\n" for line in lines)


def models() -> list[bytes]:
    files = [*(ROOT / "models").glob("*.json"), *(ROOT / "tests" / "model" / "files").glob("**/*.json")]
    return [path.read_bytes() for path in sorted(files)]


def suites() -> list[bytes]:
    """Suites that use only mlp, the only network that the harness knows."""
    every = {
        "name": "every",
        "filter": "^mlp/(train|infer)/.*b[0-9]+/",
        "matrices": [
            {
                "model": "mlp",
                "device": ["cpu", "cuda"],
                "mode": "train,infer",
                "batch-size": "1-8*2",
                "precision": ["fp32", "bf16"],
                "classes": 7,
                "optimizer": "adam:lr=0.1",
                "loss": "cross_entropy",
                "threads": 2,
                "seed": 3,
                "epochs": 1,
                "rows": 100,
                "repeats": 3,
                "max-time": "2s",
                "max-noise": "1%",
                "warmup": "auto",
            }
        ],
    }
    found = [as_json(every)]
    for path in sorted((ROOT / "configs").glob("*.json")):
        suite = json.loads(path.read_text(encoding="utf-8"))
        suite["matrices"] = suite["matrices"][:ITEMS]
        for seed, matrix in enumerate(suite["matrices"]):  # the seed makes their cases differ
            matrix |= {"model": "mlp", "seed": seed}
            if matrix.get("mode") == "generate":
                matrix["mode"] = "infer"
        for part in [suite, *suite["matrices"]]:
            for option in ("max-length", "prompt", "generate"):
                part.pop(option, None)
        found.append(as_json(suite))
    return found


def safetensors() -> list[bytes]:
    header = {
        "__metadata__": {"format": "pt"},
        "a.weight": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]},
        "b": {"dtype": "I64", "shape": [], "data_offsets": [16, 24]},
    }
    text = as_json(header)
    text += b" " * (-len(text) % 8)
    return [struct.pack("<Q", len(text)) + text + bytes(24), struct.pack("<Q", 2) + b"{}"]


def idx(sizes: list[int], values: bytes) -> bytes:
    return struct.pack(">BBBB", 0, 0, 8, len(sizes)) + b"".join(struct.pack(">I", size) for size in sizes) + values


def datasets() -> list[bytes]:
    """Files of data sets, after a first byte that tells tests/fuzz/dataset_fuzz.cpp how to read them."""
    one_image = idx([1, 28, 28], bytes(784))
    cifar_row = b"\3" + bytes(3072)
    trec = b"NUM:dist How far is it ?\nDESC:def What is \xf0 it ?\n"
    files = {
        0: idx([3], b"\0\1\2"),
        1: idx([2, 2], bytes(4)),
        2: idx([1, 2, 2], bytes(4)),
        3: one_image + idx([1], b"\7") + bytes(len(one_image) - 9),
        4: cifar_row,
        5: trec,
    }
    return [bytes([kind]) + text for kind, text in files.items()]


def texts() -> list[bytes]:
    vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n##re\nÄ\n中\n"
    words = "The naïve café's 中文 [MASK] e\u0301 \u200b\ufffd \U0001f600 " + 50 * "there"
    return [(vocabulary + "\0" + words).encode(), vocabulary.replace("\n", "\r\n").encode() + b"\0\xff\xfe a"]


def llama_bench_rows() -> list[bytes]:
    row = {"build_number": 1, "cpu_info": "a", "gpu_info": "b", "backends": "CUDA", "model_filename": "m.gguf"}
    row |= {"model_type": "llama 1B F16", "model_size": 9, "n_threads": 2, "n_gpu_layers": 99, "samples_ns": [7, 8]}
    row |= {"n_depth": 0, "test_time": "2026-05-01T10:00:00Z"}
    rows = [row | {"n_prompt": 8, "n_gen": 0}, row | {"n_prompt": 0, "n_gen": 4, "n_depth": 8}]
    return [as_json(rows), b"\n".join(map(as_json, rows))]


def seeds() -> dict[str, list[bytes]]:
    """The seeds of each harness."""
    small = reports()
    return {
        "report": [as_json(report) for report in small],
        "compare": [as_json(report) for report in small],
        "journal": [journal(report) for report in small],
        "model": models(),
        "suite": suites(),
        "import": llama_bench_rows(),
        "safetensors": safetensors(),
        "dataset": datasets(),
        "text": texts(),
    }
