"""--batch-size max and best: which launches search for the batch size, and what the report contains afterwards."""

import re

from support import FrontTest, normal


def fits(rows):
    return [{"fits": rows}]


def takes(batch, seconds):
    """The rule of a batch whose steps take so long. By default, a row takes 1 ms in training, 0.4 ms in inference."""
    return {"case": f"/b{batch}/", "actions": normal(step_seconds=seconds)}


class SearchTest(FrontTest):
    def starts(self):
        """The batch sizes of all launches, in their order."""
        return [int(line.split("/b")[1].split("/")[0]) for line in (self.folder / "starts").read_text().splitlines()]

    def sizes(self, report):
        return [(one["spec"]["batch_size"], one["status"]) for one in report["cases"]]


class Largest(SearchTest):
    def search(self, rows, *arguments, code=0):
        options = ("--mode", "train", "-b", "max", "-r", "2", *arguments)
        return self.run_tiny(*options, code=code, session=self.counted({"actions": fits(rows)}))

    def test_both_neighbours_are_in_the_report(self):
        report = self.search(100)
        self.assertEqual(self.sizes(report), [(100, "ok"), (101, "oom")])
        self.assertEqual([len(one["launches"]) for one in report["cases"]], [2, 1])
        self.assertEqual(self.starts()[:-3], [4, 8, 16, 32, 64, 128, 96, 112, 104, 100, 102, 101, 100])
        self.assertEqual(sorted(self.starts()[-3:]), [100, 100, 101])
        self.assertIn("bmax/fp32/eager/synthetic: the largest batch that runs is 100\n", self.said.err)
        self.validate("out.json")

    def test_the_data_set_is_the_most(self):
        report = self.search(10**6, "--rows", "50")
        self.assertEqual(self.sizes(report), [(50, "ok")])
        self.assertEqual(self.starts()[:-2], [4, 8, 16, 32, 50])
        self.assertIn("50 rows fit, which is the whole data set (--rows", self.said.err)

    def test_a_limit_that_is_not_sharp_is_said(self):
        rules = ({"case": "/b8/", "launch": 1, "actions": fits(7)}, {"actions": fits(100)})
        report = self.run_tiny("--mode", "infer", "-b", "max", "-r", "1", session=self.counted(*rules))
        self.assertEqual(self.sizes(report), [(7, "ok"), (8, "ok")])
        self.assertIn("b8/fp32/eager/synthetic ran out of memory during the search, but not now", self.said.err)

    def test_an_edge_that_does_not_hold_is_left(self):
        rules = ({"case": "/b100/", "launch": 2, "actions": fits(99)}, {"actions": fits(100)})
        report = self.run_tiny("--mode", "infer", "-b", "max", "-r", "1", session=self.counted(*rules))
        self.assertEqual([one["spec"]["batch_size"] for one in report["cases"]], [99, 100])

    def test_interrupted_before_anything_was_measured(self):
        front = self.start_until_here("run", "-m", "tiny.json", "-b", "max", "--export-json", "out.json")
        self.assertIn("nothing was measured yet", self.interrupt(front).err)
        self.assertEqual([str(path) for path in self.files() if "out" in str(path)], [])

    def test_an_interrupt_says_what_was_found(self):
        session = self.counted({"case": "/b12/", "actions": ["hello", self.here(), "hang"]}, {"actions": fits(12)})
        front = self.start_until_here("run", "-m", "tiny.json", "--mode", "infer", "-b", "max", "-q", session=session)
        self.assertIn("; 8 rows fit; 16 rows do not fit; nothing was measured yet", self.interrupt(front).err)


class Best(SearchTest):
    # 250, 800, 988, 1000 and 994 rows a second
    RULES = (takes(1, 0.004), takes(2, 0.0025), takes(4, 0.00405), takes(16, 0.0161), {"actions": normal()})

    def search(self, *arguments, rules=RULES, code=0):
        options = ("--mode", "train", "-b", "best", "-r", "2", *arguments)
        return self.run_tiny(*options, code=code, session=self.counted(*rules))

    def said_at_last(self):
        return re.findall(r"/bbest/\S+: (.*)", self.said.err)[-1]

    def test_batches_that_cannot_be_told_apart_are_named(self):
        rules = []
        for batch in (4, 8, 16):
            rules += [{**takes(batch, batch * row), "launch": at} for at, row in enumerate((0.0005, 0.001) * 3, 1)]
        report = self.search("--rows", "16", rules=(takes(1, 0.004), takes(2, 0.0025), *rules, {"actions": normal()}))
        tied = report["run"]["planned"][0]["tied_batches"]
        self.assertEqual((tied["least"], tied["most"]), (4, 16))
        self.assertGreater(tied["half_width"], 0.1)
        said = rf"batches of 4 to 16 cannot be told apart here \(±{100 * tied['half_width']:.0f} %\)"
        self.assertRegex(
            self.said_at_last(),
            f"^{said}; by the means of the trials, the smallest power of two within 2 % of the fastest is 4 ",
        )
        self.assertRegex(self.said.out, rf"/b4/fp32/eager/synthetic\+rows=16: {said}")
        self.validate("out.json")

    def test_counted_work_is_tried_by_plain_steps(self):
        for option in ("--epochs", "--iterations"):
            report = self.search(option, "3")
            self.assertEqual(self.sizes(report), [(4, "ok")])
            self.assertEqual(report["cases"][0]["spec"][option[2:]], 3)
