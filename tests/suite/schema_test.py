"""Compares configs/schema/suite.schema.json with the C++ reader: both have the same keys and accept the same suites.

Usage: schema_test.py READ_SUITES_PROGRAM ROOT
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import wanted

wanted.packages("jsonschema")
from jsonschema import Draft202012Validator  # noqa: E402

# For each key: values in a matrix that reader and schema accept, values that both refuse, and
# values that only the reader refuses, because no pattern can express the rule.
VALUES = {
    "model": (["mlp", "mlp,vgg16", ["mlp", "./x.json"]], ["", [], "mlp,", ["mlp", ""], None, True, {}], []),
    "mode": (["train", "train,infer", ["infer"], "data"], ["test", [], ["train", 1], "Train"], []),
    "device": (["auto", "cpu,mps", ["cuda:3", "all"]], ["gpu", "cuda:", "cuda:1000", 0], ["cuda:128", "cuda:01"]),
    "batch-size": (
        [8, "8", "1,8", "1-64*2", "4-16+4,32", [1, "2-4"], 2**63 - 1, "max", "best"],
        [0, -1, 1.5, "", "1,", "1,max", "1,best", ["max", 1], "1-", "1*2", True, None, [], [0], 2**63],
        ["0", "8-1", "1-8*1", "1-99999", "9223372036854775808"],
    ),
    "precision": (["fp32", "bf16,fp32", ["bf16"]], ["fp8", "TF32", 32, []], []),
    "engine": (["eager", ["eager"], "eager,graph"], ["jit", []], []),
    "input-shape": (
        [10, "10", "3x224x224", "128:30522,7", ["3x8x8", 4]],
        ["", "x", "3x", "3x-1", "3,", "1x1x1x1x1x1x1", "4:", True, None, [], 0],
        ["0", "3x0", "4:0"],
    ),
    "classes": ([10, "10", 2**31 - 1], [0, "0", -1, 2.5, "ten", None, [10], 2**31], ["2147483648"]),
    "rows": ([1, "50000", 2**63 - 1], [0, "1e3", True, 2**63], ["9223372036854775808"]),
    "seed": ([0, "0", 2**63 - 1], [-1, "-1", 0.5, 2**63], []),
    "threads": (
        [1, 4096, "2", "1,2,4", "1-8*2", [1, "2-4"]],
        [0, 4097, "two", "1,", None, [], [0]],
        ["4097", "0", "8-1"],
    ),
    "compile-mode": (["default", "max-autotune"], ["fast", "", 1, None, []], []),
    "ranks": ([1, "1,2", "1-8*2", [1, 256]], [0, 65537, "two", None, []], ["65537"]),
    "gpus": (
        [1, "all", "1,2", "1-8*2,all", [1, "all"], [65536]],
        [0, 65537, "every", "all,", None, [], True],
        ["65537", "0"],
    ),
    "scaling": (["weak", "strong"], ["Weak", "", 1, None, ["weak"]], []),
    "bucket-size": (
        [1, "25MiB", "512KiB", "1GiB", "1000"],
        [0, -1, 1.5, "", "1MB", "1 MiB", None, []],
        ["0", "2000GiB"],
    ),
    "interop-threads": ([1, "1,2", [1, 4096]], [0, 4097, "two", None, []], ["4097"]),
    "affinity": ([0, "0", "0-3,8", [0, "2-3"]], [-1, "a", "0-", "0,", "0-8*2", True, None, [], 65536], ["3-0"]),
    "dataset": (["synthetic", "mnist", "trec"], ["imagenet", "", 1, None, ["mnist"]], []),
    "data-dir": (["data", "/d", 1], ["", None], []),
    "vocab": (["vocab.txt", 1], ["", None], []),
    "trec-labels": (["1.1.0", "2.0.0"], ["1.0.0", "", 1.1, None], []),
    "max-length": ([2, "128", 2**31 - 1], [1, 0, -1, 2.5, "ten", None, 2**31], ["1", "2147483648"]),
    "pad": (["max", "longest"], ["none", "", 1, None], []),
    "last-batch": (["drop", "keep"], ["fill", "", 1, True, None], []),
    "shuffle": (["on", "off"], ["yes", "", 1, True, None], []),
    "tokenize": (["once", "batch"], ["step", "", 1, None], []),
    "workers": ([0, "2", 256], [-1, 257, "two", None, 1.5], ["257"]),
    "input": (["device", "host"], ["disk", "", None, ["host"]], []),
    "freeze-backbone": ([True, False], ["true", 1, None], []),
    "channels-last": ([True, False], ["true", 1, 0, None, "maybe", []], []),
    "dropout": ([0, 0.5, "0.5", "1e-3", ".5"], [1, -0.1, "half", "50%", None], ["1", "2.5"]),
    "optimizer": (
        ["sgd", "none", "sgd:lr=0.1:momentum=0.9", "adamw:lr=1e-5"],
        ["", "lion", "sgd:", "sgd:lr", "sgd:lr=x", 1, None, ["sgd"]],
        ["sgd:speed=1", "sgd:lr=-1", "sgd:lr=1:lr=1", "sgd:nesterov=1", "none:lr=1"],
    ),
    "loss": (["mse", "cross_entropy", "bce_with_logits", "mean"], ["nll", 1, None, ["mse"]], []),
    "weights": (["w.safetensors"], ["", None, True, ["w"]], []),
    "warmup": (["auto", 0, 25, "25", "2s", "500ms"], [-1, 1.5, "1.5", "-2s", "soon", None, "2 s"], []),
    "min-time": ([0, 1.5, "500ms", "0s", "2m", "1e-3"], [-1, "-1s", "soon", "8 s", "1d", None, 1e10], ["1e9h"]),
    "max-time": ([1e-6, "500ms"], [0, -1, "", "8S", False], ["0s"]),
    "max-noise": ([0.01, "1%", "0.5%"], [0, -1, 1, "1 %", "", None], ["0%", "2"]),
    "min-samples": ([1, "10", 4096], [0, "0", 1.5, 4097], ["4097"]),
    "timeout": (["10m", 600], [0, "never", None], ["0"]),
    "rendezvous-timeout": (["5m", 60], [0, "never", None], ["0"]),
    "repeats": ([1, 10000, "3"], [0, 10001, "many"], ["10001"]),
    "cooldown": ([0, "0s", "1h"], [-1, "1 h", "auto"], []),
    "threshold": ([0.05, "5%", "100%", 1e-6], [0, -1, 1, 5, "", "5 %", None, True], ["0%", "101%", "1"]),
    "gate-on": (
        ["step", "step=2%,peak-memory=0.01", ["latency-p99", "energy=.5%"]],
        ["", [], "time", "step,", "step=", "step=-1", 1, None, True, ["step", 1], {}],
        ["step=0", "step=101%", "step=1", "step,step=1%"],
    ),
    "alpha": ([0.05, "5%", 0.5], [0, 0.6, -1, "", "5 %", None, True], ["0%", "51%"]),
    "budget": ([0, "0s", "1h"], [-1, "1 h", None], []),
    "fail-on-regression": ([True, False], ["true", 1, None], []),
    "fail-on-undecided": ([True, False], ["true", 1, None], []),
    "epochs": ([1], [0, 0.5, "all"], []),
    "iterations": ([1, "100000"], [0, 1.5, None], []),
    "as-published": ([True, False], ["true", 1, None], []),
    "max-batches": ([1], [0, None], []),
    "plain": ([True, False], ["true", 1], []),
    "price": ([1999, 0.5, "1999", "1e3"], [0, -1, "free", "$5", None], ["0", "0.0"]),
    "epochs-projected": ([1, 90, "1000000"], [0, 0.5, -1, 1000001, "all", None], ["1000001"]),
    "percentiles": ([95, "50,99.9", [50, "99.9"], 0.1], [0, 100, -1, "", "p95", None, [], ["x"], "50,"], ["0", "100"]),
    "filter": (["mlp", "^vgg.*/b(1|8)/"], ["", None, True, "x" * 1001], ["(", "[a"]),
    "host-name": (["m1", "Büro 2", "a.b"], ["", "a/b", "..", ".x", "a\nb", None, "x" * 101], []),
    "ceilings": ([True, False], ["true", 1, None], []),
    "time-limit": (["5m", 300], [0, "never", None], ["0"]),
    "strict": ([True, False], ["true", 1, None], []),
    "quiet": ([True], ["yes"], []),
    "verbose": ([False], [0], []),
    "log-file": (["run.log"], ["", None], []),
    "no-progress": ([True], ["no"], []),
    "color": (["auto", "always", "never"], ["yes", True, None], []),
}

GOOD = {"name": "s", "matrices": [{"model": "mlp"}]}
# Whole suites, and whether they are valid.
SUITES = [
    (GOOD, True),
    ({**GOOD, "$schema": "suite.schema.json", "description": "words"}, True),
    ({**GOOD, "description": None}, True),
    ({**GOOD, "name": "nightly-2_b.1"}, True),
    ({**GOOD, "matrices": [{}]}, True),
    ({**GOOD, "name": ""}, False),
    ({**GOOD, "name": "a/b"}, False),
    ({**GOOD, "name": "../x"}, False),
    ({**GOOD, "name": "x" * 101}, False),
    ({**GOOD, "name": None}, False),
    ({**GOOD, "description": 1}, False),
    ({**GOOD, "$schema": 1}, False),
    ({**GOOD, "matrices": []}, False),
    ({**GOOD, "matrices": {}}, False),
    ({**GOOD, "matrices": [1]}, False),
    ({**GOOD, "matrices": [{"model": "mlp"}, {"models": "mlp"}]}, False),
    ({**GOOD, "matrices": [{"name": "x"}]}, False),
    ({**GOOD, "matrices": [{"matrices": []}]}, False),
    ({**GOOD, "surprise": 1}, False),
    ({"matrices": [{"model": "mlp"}]}, False),
    ({"name": "s"}, False),
    ([], False),
    ("suite", False),
    (None, False),
]


def cases(options: dict[str, dict]) -> list[tuple[str, object, bool, bool]]:
    """Yields a description, the suite, whether the reader must accept it, and whether the schema must."""
    table = [(json.dumps(suite)[:100], suite, good, good) for suite, good in SUITES]
    for key, option in options.items():
        in_suite, in_matrix = option["place"] != "command", option["place"] == "matrix"
        good, bad, subtle = VALUES.get(key, (["x"], [], []))
        good = [*good, *option["choices"]]
        verdicts = [(good, True, True), (bad, False, False), (subtle, False, True)]
        for value, reads, valid in [(value, *verdict) for values, *verdict in verdicts for value in values]:
            what = f"{key} = {json.dumps(value)[:60]}"
            table.append((f"suite: {what}", {**GOOD, key: value}, in_suite and reads, in_suite and valid))
            matrix = {"name": "s", "matrices": [{key: value}]}
            table.append((f"matrix: {what}", matrix, in_matrix and reads, in_matrix and valid))
    return table


def main(program: str, root: pathlib.Path) -> int:
    schema = json.loads((root / "configs/schema/suite.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    options = json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    wrong = []
    if set(VALUES) != {key for key, option in options.items() if option["place"] != "command"}:
        wrong.append(f"options without values in this test: {set(options) ^ set(VALUES)}")

    table = cases(options)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, (_, suite, _, _) in enumerate(table):
            files.append(pathlib.Path(folder) / f"{number}.json")
            files[-1].write_text(json.dumps(suite), encoding="utf-8")
        own = sorted((root / "configs").glob("*.json"))
        files += own
        table += [(file.name, json.loads(file.read_text(encoding="utf-8")), True, True) for file in own]
        lines = subprocess.run([program, *files], check=True, capture_output=True, text=True).stdout.split("\n")[:-1]
    for (what, suite, reads, valid), line in zip(table, map(json.loads, lines), strict=True):
        errors = [f"{error.json_path}: {error.message[:80]}" for error in validator.iter_errors(suite)]
        if (line == "ok") != reads:
            wrong.append(f"{what}: the reader says {line}")
        if (not errors) != valid:
            wrong.append(f"{what}: the schema says {errors or 'ok'}")
    print("\n".join([*wrong, f"{len(table)} suites, {len(wrong)} judged wrongly"]))
    return 1 if wrong or len(own) < 2 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
