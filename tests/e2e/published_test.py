"""The published figures in results/published: sound reports, beside a run of the same work."""

import json
import subprocess
import sys

from support import SOURCE, FrontTest, main

FOLDER = SOURCE / "results" / "published"
FIGURES = json.loads((SOURCE / "scripts/mpsbench_py/published_figures.json").read_text(encoding="utf-8"))
NAMES = sorted(FIGURES["reports"])


def file_of(name):
    return FOLDER / f"{name}.json"


def work_of(case_id):
    model, mode, _, rest = case_id.split("/", 3)
    return f"{model}/{mode}/{rest}"


class PublishedTest(FrontTest):
    def data(self, *kinds):
        """Small files in the formats of the data sets KINDS."""
        folder = self.folder / "data"
        script = SOURCE / "scripts" / "make_fixture.py"
        for kind in kinds:
            command = [sys.executable, script, kind, "--out", folder, "--rows", "300", "--test-rows", "150"]
            subprocess.run(command, check=True, capture_output=True)
        return folder

    def as_json(self, *arguments):
        return json.loads(self.expect(0, "compare", *arguments, "-o", "json").out)

    def test_all_are_valid_and_stand_side_by_side(self):
        files = [file_of(name) for name in NAMES]
        self.expect(0, "validate", *files)
        said = self.as_json(*files)
        self.assertTrue(all(cell["published"] for cell in said["cases"] if cell["status"]))
        for cell in said["cases"]:
            self.assertFalse(cell["best"] and "older-script-variant" in cell["cautions"], cell)

    def test_speed_ups_of_the_articles(self):
        def speed_ups(name):
            return {
                (family["family"], one["batch_size"]): one["speed_up"]
                for family in self.as_json(file_of(name))["speed_ups"]
                for one in family["by_batch"]
            }

        vgg = "vgg16_bn-cifar10/train/fp32/eager/cifar10+epochs=1+optimizer=adam:lr=0.0005"
        self.assertAlmostEqual(speed_ups("m1pro-20220522")[vgg, 32], 110.48 / 42.12)
        infer = "bert-base/infer/fp32/eager/trec+max-length=512+pad=longest+rows=1000"
        self.assertAlmostEqual(speed_ups("m1-macbook-pro-1.12-nightly")[infer, 8], 78.9 / 189)
        apple = self.expect(0, "compare", file_of("apple-mac-studio"), file_of("m4")).out
        self.assertRegex(apple, r"vgg16/train\S* +A mps \(published\) +8\.00× +–")
        self.assertIn("not published", apple)

    def test_suites_give_the_ids_that_they_are_published_under(self):
        published = {work_of(case["id"]) for name in NAMES for case in json.loads(file_of(name).read_text())["cases"]}
        folder = self.data("cifar10", "mnist")
        for suite in ("vgg16-cifar10", "lenet-mnist", "mlp-mnist"):
            for mode in ("train", "infer"):
                options = ["--mode", mode, "-d", "cpu", "--data-dir", folder, "--dry-run"]
                plan = self.expect(0, "run", suite, *options).out
                self.assertIn(work_of(plan.split()[0]), published, suite)

    def test_a_run_shows_itself_beside_them(self):
        self.expect(
            0, "run", "lenet-mnist", "-d", "cpu", "--data-dir", self.data("mnist"), "--export-json", "mine.json"
        )
        theirs = file_of("m1pro-20220518")
        said = self.expect(0, "compare", "mine.json", theirs).out
        self.assertRegex(said, r"(?m)^B  Apple M1 Pro \(published\)")
        self.assertRegex(said, r"lenet5/train/b128\S* .* 11\.4 ms ±6\.3 %  [0-9.]+×")
        for words in ("authors' programs", "older-script-variant", "invalid-accuracy", "Raschka"):
            self.assertEqual(words in said, words != "Raschka", words)
        self.assertIn("(published)", self.expect(0, "compare", "mine.json", theirs, "-o", "md").out)

    def test_no_verdict_and_no_run_comes_of_them(self):
        one, other = file_of("m1pro-20220518"), file_of("m1pro-20220522")
        for option in ("--fail-on-regression", "--threshold=5%"):
            says = [option.split("=")[0], "published figures"]
            self.expect_refused("compare", one, other, option, code=4, says=says)
            self.expect_refused("compare", one, other, option, "--force", code=4, says=says)
        self.expect_refused("run", "--resume", one, says=["--resume", "published figures", "run a suite"])


if __name__ == "__main__":
    main()
