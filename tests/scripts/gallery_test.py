"""The page of machines: every report and case stands on it once, with its figure and its source."""

import json
import re
import shutil
import subprocess
import tempfile
import unittest
from html import unescape
from pathlib import Path

from support import SCRIPTS, main

from mpsbench_py import gallery, gallery_page, reports, words  # isort: skip

ROOT = SCRIPTS.parent
RESULTS = ROOT / "results"
OWN = RESULTS / "h200-vgg16-cifar10.json"


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html))).strip()


def rows_of(page: str) -> dict[str, str]:
    """The HTML of each row that has an id."""
    return dict(re.findall(r'<tr id="([^"]+)">(.*?)</tr>', page))


class Gallery(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.page = gallery_page.page(RESULTS)
        cls.works = gallery.works_of([reports.load(path) for path in gallery.report_files(RESULTS)])

    def test_every_tracked_report_is_on_it(self) -> None:
        files = gallery.report_files(RESULTS)
        if shutil.which("git"):
            command = ["git", "-C", ROOT, "ls-files", "-z", "results/*.json"]
            listed = subprocess.run(command, capture_output=True, text=True, check=False)
            tracked = {ROOT / name for name in listed.stdout.split("\0") if name}
            self.assertEqual(tracked if listed.returncode == 0 else set(files), set(files))
        for path in files:
            cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
            for case in cases:
                source = (case["published"] or {}).get("url") if case.get("published") else f"results/{path.name}"
                self.assertIn(source or "published: Mac", unescape(self.page), path.name)

    def test_each_case_has_one_row_with_its_figure(self) -> None:
        entries = [entry for work in self.works for entry in work.entries]
        rows = rows_of(self.page)
        self.assertEqual(len(self.page.split('<tr id="')) - 1, len(entries))
        self.assertEqual(len(rows), len(entries))
        for entry in entries:
            row = text_of(rows[gallery_page._entry_anchor(entry)])
            self.assertIn(entry.machine, row)
            figure = entry.case.rate
            self.assertIn(f"{words.rate(figure.value)} {figure.words()}" if figure else "– –", row)

    def test_an_m1_max_stands_beside_the_h200(self) -> None:
        (work,) = (one for one in self.works if one.title.startswith("vgg16_bn-cifar10, training"))
        first, *others = work.entries
        self.assertEqual(first.machine, "NVIDIA H200")
        theirs = next(entry for entry in others if entry.machine == "Apple M1 Max")
        times = words.significant(first.rows().value / theirs.rows().value, 2)
        self.assertIn(f" {times}× ", text_of(rows_of(self.page)[gallery_page._entry_anchor(theirs)]))
        overview = text_of(self.page.partition('id="machines"')[2].partition("</section>")[0])
        for entry in (first, theirs):
            self.assertIn(f"{entry.machine} GPU {words.rate(entry.rows().value)} ", overview)

    def test_other_work_is_last_and_without_a_rate(self) -> None:
        others = 0
        for work in self.works:
            marks = [
                bool(entry.case.published) and reports.is_other_work(entry.case.published) for entry in work.entries
            ]
            self.assertEqual(marks, sorted(marks))
            others += sum(marks)
            self.assertTrue(all(entry.rows() is None for entry, mark in zip(work.entries, marks, strict=True) if mark))
        self.assertGreater(others, 0)

    def test_links_inside_lead_somewhere(self) -> None:
        targets = set(re.findall(r'href="#([^"]+)"', self.page))
        names = re.findall(r' id="([^"]+)"', self.page)
        self.assertEqual(targets - set(names), set())
        self.assertEqual(len(names), len(set(names)))

    def test_it_names_chips_and_no_hosts(self) -> None:
        for path in gallery.report_files(RESULTS):
            if path.parent == RESULTS:
                self.assertNotIn(json.loads(path.read_text(encoding="utf-8"))["host"]["name"], self.page)

    def test_every_caution_is_explained(self) -> None:
        for work in self.works:
            for entry in work.entries:
                for caution in entry.cautions():
                    self.assertIn(f"<dt>{caution}</dt>", self.page)

    def test_it_loads_nothing_and_is_small(self) -> None:
        self.assertIsNone(re.search(r"<script|<img|<link| src=|url\(", self.page))
        self.assertLess(len(self.page.encode()), 400_000)


class Marks(unittest.TestCase):
    def test_a_mark_is_at_its_value_on_the_axis(self) -> None:
        axis = gallery_page.Axis([3.0, 250.0])
        self.assertEqual(axis.decades(), [1.0, 10.0, 100.0, 1000.0])
        width = gallery_page.WIDTH - 2 * gallery_page.EDGE
        for value, share in ((1.0, 0.0), (10.0, 1 / 3), (1000.0, 1.0)):
            self.assertAlmostEqual(float(axis.place(value)), gallery_page.EDGE + share * width, 1)

    def test_one_value_has_an_axis(self) -> None:
        self.assertEqual(gallery_page.Axis([100.0]).decades(), [100.0, 1000.0])


class Hostile(unittest.TestCase):
    def test_names_in_a_report_are_text(self) -> None:
        hostile = "\"'><script>alert(1)</script>"
        report = json.loads(OWN.read_text(encoding="utf-8"))
        report["host"]["accelerators"][0]["name"] = hostile
        report["host"]["libtorch"]["version"] = hostile
        case = report["cases"][0]
        case["spec"]["model"] = hostile
        case["published"] = {"source": hostile, "url": "javascript:alert(1)", "cautions": [hostile]}
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "published").mkdir()
            (folder / "README.md").write_text("- `a.json` (a machine): it\n", encoding="utf-8")
            (folder / "published/README.md").write_text("", encoding="utf-8")
            (folder / "a.json").write_text(json.dumps(report), encoding="utf-8")
            page = gallery_page.page(folder)
        self.assertNotIn("<script", page)
        self.assertNotIn("javascript:", page)


if __name__ == "__main__":
    main()
