"""Every option of `run` works on the command line and as a key of a suite, has an effect, and refuses bad values."""

import re

from support import SOURCE, TINY, FrontTest, safetensors, suite_keys

JUDGED = [{"metric": name, "threshold": None} for name in ("step", "first-token")]

# Name, text on the command line, value in a suite, place in the report (in its cases, planned cases or launches), and
# the value there.
EFFECTS = [
    ("model", "mlp", "mlp", "spec.model", "mlp"),
    ("mode", "infer", ["infer"], "spec.mode", "infer"),
    ("device", "cpu", "cpu", "spec.device", "cpu"),
    ("batch-size", "6", 6, "spec.batch_size", 6),
    ("ranks", "3", [3], "spec.ranks", 3),
    ("precision", "bf16", "bf16", "spec.precision", "bf16"),
    ("engine", "eager", ["eager"], "spec.engine", "eager"),
    ("classes", "7", 7, "spec.classes", 7),
    ("rows", "1234", 1234, "spec.rows", 1234),
    ("seed", "5", 5, "spec.seed", 5),
    ("threads", "3", 3, "spec.threads", 3),
    ("interop-threads", "3", [3], "spec.interop_threads", 3),
    ("input", "host", "host", "spec.input", "host"),
    ("channels-last", None, True, "spec.channels_last", True),
    ("freeze-backbone", None, True, "spec.freeze_backbone", True),
    ("iterations", "9", 9, "spec.iterations", 9),
    ("price", "1999", 1999, "run.price_dollars", 1999),
    ("epochs-projected", "90", 90, "run.epochs_projected", 90),
    ("percentiles", "99.9,50", [99.9, 50], "run.percentiles", [50, 99.9]),
    ("dropout", "0.5", 0.5, "spec.dropout", 0.5),
    ("optimizer", "adamw:lr=0.5:beta1=0.8", "adamw:lr=0.5:beta1=0.8", "spec.optimizer.beta1", 0.8),
    ("loss", "mse", "mse", "spec.loss", "mse"),
    ("weights", "w.safetensors", "w.safetensors", "spec.weights", "w.safetensors"),
    ("warmup", "25", 25, "planned.measure.warmup", "25"),
    ("min-time", "200ms", "200ms", "planned.measure.min_time_seconds", 0.2),
    ("max-time", "1m", 60, "planned.measure.max_time_seconds", 60),
    ("max-noise", "2%", 0.02, "planned.measure.max_noise", 0.02),
    ("min-samples", "12", 12, "planned.measure.min_samples", 12),
    ("timeout", "33s", 33, "planned.timeout_seconds", 33),
    ("repeats", "2", 2, "planned.repeats", 2),
    ("cooldown", "10ms", 0.01, "planned.cooldown_seconds", 0.01),
    ("threshold", "5%", 0.05, "planned.threshold", 0.05),
    ("gate-on", "energy=5%", ["energy=5%"], "planned.gate_on", [{"metric": "energy", "threshold": 0.05}]),
    ("gate-on", "step,first-token", ["step", "first-token"], "planned.gate_on", JUDGED),
    ("epochs", "2", 2, "spec.epochs", 2),
    ("max-batches", "9", 9, "spec.max_batches", 9),
    ("host-name", "quiet corner", "quiet corner", "host.name", "quiet corner"),
    ("strict", None, True, "run.strict", True),
]

BAD_RATES = ("sgd:lr=x", "sgd:lr=-1", "sgd:lr=inf")
BAD = {
    "model": ["", "no_such", "mlp,", "no/such.json"],
    "mode": ["test", "train,,infer"],
    "device": ["gpu", "cuda:x", "cuda:128", "cuda:-1", "cpu:0", "CPU"],
    "batch-size": ["0", "-1", "1.5", "x", "8-1", "1-8*1", "1-8+0", "99999999999999999999", "1-1000000000"],
    "precision": ["fp64", "fp8", "FP32"],
    "engine": ["jit"],
    "compile-mode": ["fast", ""],
    "input-shape": ["", "3x", "x3", "0x3", "3x224x224:"],
    "dataset": ["imagenet", "MNIST"],
    "data-dir": ["", "data"],
    "vocab": ["", "vocab.txt"],
    "trec-labels": ["1.0.0", "2.0.0"],
    "max-length": ["1", "512.0"],
    "prompt": ["0", "long", "1,,2"],
    "generate": ["1", "all", "2,3"],
    "depth": ["-1", "0-4", "deep"],
    "pad": ["none", "longest", "max"],
    "workers": ["-1", "two", "257", "2"],
    "tokenize": ["step", "batch"],
    "last-batch": ["none", "keep"],
    "shuffle": ["yes", "off"],
    "input": ["disk"],
    "classes": ["0", "-3", "many", "1e3", "9223372036854775807"],
    "rows": ["0", "1e6", "9223372036854775808"],
    "seed": ["-1", "1.0", "0x10", "9223372036854775808"],
    "threads": ["0", "1000000", "1,2,x", "1-9999"],
    "interop-threads": ["0", "4097", "all"],
    "ranks": ["0", "257", "2,x"],
    "gpus": ["0", "129", "2,x", "all,", "all,all", "2"],
    "scaling": ["", "linear"],
    "bucket-size": ["", "0", "1MB", "1.5MiB", "2000GiB"],
    "rendezvous-timeout": ["0s", "soon"],
    "affinity": ["", "x", "3-1", "65535", "0,"],
    "dropout": ["1", "-0.1", "nan", "a"],
    "set": ["size", "size=x", "=5", "size=5", "classes=5", "seed=5"],
    "optimizer": ["lion", "none:lr=1", "adam:lr=1:lr=2", "sgd:beta1=0.9", "sgd:lr", *BAD_RATES],
    "loss": ["hinge"],
    "weights": ["", "nothing.safetensors", "tiny.json"],
    "warmup": ["soon", "-1", "1.5"],
    "min-time": ["-1s", "5 parsecs", "nan"],
    "max-time": ["0", "0s", "inf", "1e999"],
    "max-noise": ["0", "-1%", "%"],
    "min-samples": ["0", "ten", "4097"],
    "timeout": ["0s", "never"],
    "time-limit": ["0s", "soon"],
    "repeats": ["0", "10001", "1,2"],
    "cooldown": ["-5s", "auto"],
    "threshold": ["0", "11", "2 %"],
    "gate-on": ["", "time", "step=0", "step=5", "step,step", "energy=many"],
    "alpha": ["0", "0.6", "many"],
    "budget": ["-1s", "soon"],
    "epochs": ["0", "0.5"],
    "max-batches": ["0"],
    "iterations": ["0", "many"],
    "price": ["0", "-5", "free"],
    "epochs-projected": ["0", "1.5", "1000001"],
    "percentiles": ["0", "100", "-1", "p95", "50,,99", ""],
    "filter": ["", "[", "(", "x" * 1001],
    "host-name": ["a/b", ".hidden", "a\nb", "x" * 101],
    "color": ["sometimes"],
}
# fmt: off
SHOWN_ELSEWHERE = {
    "affinity", "compile-mode", "gpus", "scaling", "bucket-size", "rendezvous-timeout",
    "as-published", "ceilings", "data-dir", "dataset", "input-shape", "max-length", "pad", "trec-labels", "vocab",
    "prompt", "generate", "depth", "last-batch", "shuffle", "tokenize", "workers", "plain", "filter", "quiet",
    "verbose", "log-file", "no-progress", "color",
    "alpha", "budget", "fail-on-regression", "fail-on-undecided",
    "time-limit", "set",
}
FLAGS_SHOWN_ELSEWHERE = {
    "as-published", "ceilings", "fail-on-regression", "fail-on-undecided", "plain", "quiet", "verbose", "no-progress",
}
COMMAND_LINE_ONLY = {
    "baseline", "dry-run", "dump-first-step", "export-json", "force", "format", "output", "resume", "versus",
}
# fmt: on
NAMES_ITS_FILE = {"model", "weights"}  # error messages name the file instead of the option


def look_up(value, path):
    for key in path.split("."):
        value = value[key]
    return value


class Options(FrontTest):
    def setUp(self):
        super().setUp()
        self.write("w.safetensors", safetensors({"fc.weight": [3, 4], "fc.bias": [3]}))

    def found(self, report, where):
        """The values at this place in the report."""
        if where.startswith("planned."):
            return [look_up(one, where[8:]) for one in report["run"]["planned"]]
        if where.startswith("spec."):
            return [look_up(case, where) for case in report["cases"]]
        return [look_up(report, where)]

    def expect_effect(self, report, where, expected):
        found = self.found(report, where)
        self.assertEqual(found, [expected] * len(found), where)

    def suite(self, top, matrix=None):
        matrix = {"mode": "train", **(matrix or {})}
        if "model" not in top:
            matrix.setdefault("model", "tiny.json")
        return self.write("s.json", {"name": "s", "repeats": 1, **top, "matrices": [matrix]})

    def test_on_the_command_line(self):
        for name, text, _, where, expected in EFFECTS:
            words = [f"--{name}"] if text is None else [f"--{name}", text]
            base = {"--model": "tiny.json", "--mode": "train", "--repeats": "1"}
            base.pop(words[0], None)
            report = self.run_with([word for pair in base.items() for word in pair] + words)
            self.expect_effect(report, where, expected)

    def test_as_key_of_a_suite_and_of_a_matrix(self):
        for name, _, value, where, expected in EFFECTS:
            self.suite({name: value}, {"mode": value} if name == "mode" else {})
            self.expect_effect(self.run_with(["s.json"]), where, expected)
            if name in ("host-name", "strict", "price", "percentiles", "epochs-projected"):
                self.suite({}, {name: value})
                self.expect_refused("run", "s.json", says=["s.json", f"'{name}'", "$.matrices[0]"])
            else:
                self.expect_effect(self.run_with([self.suite({}, {name: value})]), where, expected)

    def test_changes_parameters_of_the_definition(self):
        wide = {"parameters": {"classes": 3, "dropout": 0.1, "size": 4}}
        wide["inputs"] = [{"name": "input", "dtype": "float32", "shape": ["$size"]}]
        self.write("wide.json", TINY | {"name": "wide"} | wide)
        suite = {"name": "s", "repeats": 1, "matrices": [{"model": "wide.json", "mode": "infer", "set": ["size=6"]}]}
        for words in (
            ["-m", "wide.json", "--mode", "infer", "-r", "1", "--set", "size=6"],
            [self.write("s.json", suite)],
        ):
            (case,) = self.run_with(words)["cases"]
            self.assertEqual(case["spec"]["parameters"], {"size": 6})
            self.assertTrue(case["id"].endswith("/synthetic+size=6"), case["id"])
            self.assertEqual(case["metrics"]["parameters"], 6 * 3 + 3)
        (case,) = self.run_with(["--model", "wide.json", "--mode", "infer", "--repeats", "1", "--set", "size=4"])[
            "cases"
        ]
        self.assertNotIn("parameters", case["spec"])
        self.assertNotIn("+", case["id"])

    def run_with(self, arguments):
        self.expect(0, "run", *arguments, "--export-json", "out.json")
        return self.report()

    def test_every_option_is_tried_here(self):
        keys = suite_keys()
        self.assertEqual({row[0] for row in EFFECTS} | SHOWN_ELSEWHERE, keys)
        flags = {row[0] for row in EFFECTS if row[1] is None} | FLAGS_SHOWN_ELSEWHERE
        self.assertEqual(set(BAD), keys - flags - {"log-file"})

    def test_bad_values_name_the_option(self):
        for name, values in BAD.items():
            for value in values:
                model = [] if name == "model" else ["-m", "tiny.json"]
                says = [] if name in NAMES_ITS_FILE else [f"--{name}"]
                self.expect_refused("run", *model, f"--{name}={value}", says=says)

    def test_bad_values_name_the_place_in_the_suite(self):
        for name, (value, *_) in BAD.items():
            self.suite({name: value})
            says = [] if name in NAMES_ITS_FILE else ["s.json", f"$.{name}"]
            self.expect_refused("run", "s.json", says=says)

    def test_wrong_types_name_the_place_in_the_suite(self):
        for name, *_ in EFFECTS:
            for value in ({}, [], None, [[1]]):
                self.suite({name: value})
                self.expect_refused("run", "s.json", says=["s.json", f"$.{name}"])

    def test_keys_for_the_command_line_only(self):
        page = (SOURCE / "docs/suites.md").read_text(encoding="utf-8")
        exceptions = page.split("work only on the command line: ")[1].split(".\n")[0]
        self.assertEqual(set(re.findall("`([a-z-]+)`", exceptions)), COMMAND_LINE_ONLY)
        for name in COMMAND_LINE_ONLY:
            self.suite({name: "x"})
            self.expect_refused("run", "s.json", says=["s.json", f"'{name}'"])


class Shown(FrontTest):
    def test_log_file_quiet_verbose(self):
        said = {}
        for level in ([], ["--quiet"], ["--verbose"]):
            log = "-".join(["log", *level])
            self.run_tiny("-f", "json", "--log-file", log, *level)
            said[tuple(level)] = self.said.err
            self.assertIn("out.json", self.text(log))
        self.assertEqual(said[("--quiet",)], "")
        self.assertIn("out.json", said[()])
        self.assertGreaterEqual(len(said[("--verbose",)]), len(said[()]))
        self.expect_refused("run", "-m", "tiny.json", "-q", "--verbose", says=["contradicts --quiet"])

    def test_default_place(self):
        self.expect(0, "run", "-m", "tiny.json", "--host-name", "here")
        (report,) = (self.work / "results").iterdir()
        self.assertRegex(report.name, r"^here-\d{4}-\d\d-\d\dT\d{6}-adhoc\.json$")
