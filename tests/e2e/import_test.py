"""mpsbench import llama-bench: rows of llama-bench stand beside one's own cases in compare and on the page."""

import json
import re

from support import FrontTest

MODEL = "smollm2-135m"
MINE = f"{MODEL}/generate/cpu/b1/int8/eager/synthetic"


def row(prompt, generate, depth=0, seconds=0.5, **settings):
    """A row of llama-bench on a CPU, with three repetitions."""
    nanoseconds = [int(seconds * factor * 1e9) for factor in (0.98, 1.0, 1.02)]
    tokens = prompt + generate
    return {
        "build_commit": "0a1b2c3d",
        "build_number": 7001,
        "cpu_info": "Some CPU",
        "gpu_info": "",
        "backends": "CPU",
        "model_filename": "/home/anne/SmolLM2-135M-Q8_0.gguf",
        "model_type": "llama 135M Q8_0",
        "model_size": 143_000_000,
        "model_n_params": 134_515_008,
        "n_batch": 2048,
        "n_ubatch": 512,
        "n_threads": 2,
        "cpu_mask": "0x0",
        "type_k": "f16",
        "type_v": "f16",
        "n_gpu_layers": -1,
        "flash_attn": -1,
        **settings,
        "n_prompt": prompt,
        "n_gen": generate,
        "n_depth": depth,
        "test_time": "2026-05-01T10:00:00Z",
        "avg_ns": nanoseconds[1],
        "stddev_ns": 1,
        "avg_ts": tokens / seconds,
        "stddev_ts": 0.1,
        "samples_ns": nanoseconds,
        "samples_ts": [tokens / one * 1e9 for one in nanoseconds],
    }


ROWS = [row(512, 0, seconds=0.4), row(0, 128), row(0, 128, 512, seconds=0.64), row(512, 128)]


class Import(FrontTest):
    def bring(self, *options, rows=ROWS, file="llama.json"):
        self.write(file, rows)
        self.said = self.expect(0, "import", "llama-bench", file, "-o", "theirs.json", *options)
        self.validate("theirs.json")
        return self.report("theirs.json")

    def measure(self):
        options = ("--mode", "generate", "-d", "cpu", "--precision", "int8", "-r", "2")
        self.expect(0, "run", "-m", MODEL, *options, "--export-json", "mine.json")

    def test_rows_become_cases(self):
        report = self.bring("--model", MODEL)
        self.assertIn("1 row is left out", self.said.err)
        threads = "+threads=2"
        self.assertEqual(report["run"]["plan"], [f"{MINE}+prompt=1{threads}", f"{MINE}{threads}"])
        alone, both = report["cases"]
        self.assertAlmostEqual(both["metrics"]["tokens_per_second"]["value"], 200)
        self.assertAlmostEqual(both["metrics"]["prefill_tokens_per_second"]["value"], 1280)
        self.assertEqual(both["published"]["cautions"], ["llama-bench", "other-weights"])
        self.assertIn("empty-cache", alone["published"]["cautions"])
        self.assertIsNone(alone["metrics"]["first_token_seconds"]["mean"])
        for case in report["cases"]:
            for key, value in case["metrics"].items():
                main = value.get("mean", value.get("value")) if isinstance(value, dict) else value
                self.assertTrue(main is not None or f"metrics.{key}" in case["notes"], key)
        self.assertNotIn("/home", json.dumps(report))

    def test_lines_give_the_same_cases(self):
        whole = self.bring()
        self.write("llama.jsonl", "".join(json.dumps(one) + "\n" for one in ROWS))
        out = self.expect(0, "import", "llama-bench", "llama.jsonl").out
        self.assertEqual(json.loads(out)["cases"], whole["cases"])
        self.assertTrue(whole["cases"][0]["id"].startswith("SmolLM2-135M-Q8_0/generate/cpu/"))

    def test_they_stand_beside_mine(self):
        self.measure()
        self.bring("-m", MODEL)
        said = self.expect(0, "compare", "mine.json", "theirs.json").out
        self.assertRegex(said, r"(?m)^B  Some CPU \(published\)")
        self.assertRegex(said, r"5\.00 ms \S+  [0-9.]+× \S+  first token 400 ms")
        for words in ("other-weights", "model_type llama 135M Q8_0", "flash_attn -1"):
            self.assertIn(words, said)
        cells = json.loads(self.expect(0, "compare", "mine.json", "theirs.json", "-f", "json").out)["cases"]
        shared = [cell for cell in cells if "prompt=1" not in cell["work"]]
        self.assertEqual([cell["published"] for cell in shared], [False, True])
        self.assertAlmostEqual(shared[1]["first_token_seconds"], 0.4)

    def test_the_page_and_the_formats_show_them(self):
        self.measure()
        self.bring("-m", MODEL)
        page = self.expect(0, "export", "mine.json", "theirs.json", "-f", "html").out
        view = json.loads(re.search(r'id="view">(.*?)</script>', page, re.DOTALL)[1])
        drawn = [case["f"]["tokens_per_second"][0] for case in view["cases"] if case["launches"] == "published"]
        self.assertEqual(drawn, [256, 200])
        self.assertIn("llama-bench, build 7001 (0a1b2c3d)", page)
        for form in ("table", "csv", "md", "jsonl", "junit"):
            self.assertIn(MODEL, self.expect(0, "export", "theirs.json", "-f", form).out, form)
        self.assertIn(MODEL, self.expect(0, "import", "llama-bench", "llama.json", "-m", MODEL, "-f", "csv").out)

    def test_bad_files_are_refused_in_one_line(self):
        self.write("rows.json", ROWS)
        self.write("rows.md", "| model | size |\n")
        self.write("bad.json", [row(512, 0) | {"n_gen": "none"}])
        self.write("twice.json", [row(512, 0), row(512, 0, n_ubatch=64)])
        self.write("report.json", {"schema_version": 1})
        for file, says in {
            "rows.md": ["rows.md", "llama-bench -o json"],
            "bad.json": ["bad.json: $[0].n_gen: "],
            "twice.json": ["rows 1 and 2", "n_ubatch 512 and 64", "keep one"],
            "report.json": ["report.json", "no row of llama-bench"],
            "none.json": ["none.json"],
        }.items():
            self.expect_refused("import", "llama-bench", file, says=says)
        self.expect_refused(
            "import", "llama-bench", "rows.json", "-o", "rows.json", says=["file that this command reads"]
        )
        self.expect_refused("import", "llama-bench", "rows.json", "--precision", "int3", says=["precision"])
        self.expect_refused("import", "llama-bench", "rows.json", "--model", "a/b", says=["--model"])
        self.expect_refused("import", "lama-bench", "rows.json", says=["llama-bench"])
