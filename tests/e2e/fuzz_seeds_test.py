"""The files that scripts/dev/fuzz starts from are valid: if a reader refused them, fuzzing would test little of it."""

import json

from mpsbench_py import fuzz, fuzz_seeds
from support import SOURCE, FrontTest, another


class FuzzSeeds(FrontTest):
    def setUp(self):
        super().setUp()
        self.seeds = fuzz_seeds.seeds()

    def expect_valid(self, contents, ending=".json"):
        names = []
        for index, content in enumerate(contents):
            names.append(f"{index}{ending}")
            self.write(names[-1], content)
        said = self.expect(0, "validate", *names)
        self.assertEqual(said.out.count(": ok: "), len(names))

    def test_every_harness_has_some(self):
        self.assertEqual(set(self.seeds), set(fuzz.HARNESSES))
        for name, contents in self.seeds.items():
            self.assertTrue(contents, name)
            self.assertLessEqual(min(map(len, contents)), fuzz.HARNESSES[name][1], name)

    def test_the_reader_takes_them(self):
        for content in self.seeds["report"]:  # their metrics do not follow from the few samples that are left
            self.write("seed.json", content)
            self.expect(0, "export", "seed.json", "-f", "csv")
        self.expect_valid(self.seeds["journal"], ".jsonl")
        self.expect_valid(self.seeds["suite"])
        ours = {path.read_bytes() for path in (SOURCE / "models").glob("*.json")}
        self.assertLessEqual(ours, set(self.seeds["model"]))

    def test_comparing_takes_them(self):
        for content in self.seeds["compare"]:
            report = json.loads(content)
            self.write("one.json", report)
            self.write("other.json", another(report, "another"))
            self.expect(0, "compare", "one.json", "other.json")

    def test_options(self):
        for arguments in (["--runs", "0"], ["--only", "nothing"], ["--jobs", "0"]):
            with self.assertRaises(SystemExit):
                fuzz.parse(arguments)
        self.assertEqual(fuzz.parse(["--only", "text,model"]).names, ["text", "model"])
        self.assertAlmostEqual(sum(share for share, _ in fuzz.HARNESSES.values()), 1)
