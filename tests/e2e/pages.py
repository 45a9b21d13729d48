"""Helpers for the tests of pages (`mpsbench export --format html`)."""

import copy

from mpsbench_py import chromium, page_reports
from support import FrontTest

__all__ = ["PageTest", "chromium"]

HOSTILE = "\"'><script>window.pwned=1</script><img src=x onerror=window.pwned=1></title></style></svg>\x1b\u202e&lt;"


class PageTest(FrontTest):
    def setUp(self):
        super().setUp()
        self.base = self.run_tiny("--mode", "train", "-b", "4", "-r", "2")
        self.base["host"]["cpu"]["model"] = "AMD EPYC"  # wherever the tests run
        self.write("out.json", self.base)

    def multiplied(self, name, cases=20, seed=0, host="", change=None):
        report = page_reports.multiplied(self.base, cases, launches=3, samples=40, seed=seed, host=host)
        if change:
            change(report)
        self.write(name, report)
        return name

    def page(self, *reports):
        done = self.expect(0, "export", *reports, "--format", "html", "-o", "page.html")
        self.assertEqual(done.out, "")
        self.assertRegex(done.err, r"\A(warning: the metrics of [^\n]* do not follow from the samples[^\n]*\n)*\Z")
        return self.work / "page.html"

    def hostile(self, name):
        """Every text in the report is hostile."""

        def change(report):
            for case, planned in zip(report["cases"], report["run"]["planned"], strict=True):
                case["id"] = planned["id"] = HOSTILE + case["id"]
                case["spec"]["model"] = planned["spec"]["model"] = HOSTILE
                case["flags"] = [HOSTILE]
                case["notes"] = {HOSTILE: HOSTILE}
                case["launches"][0]["stopped_by"] = HOSTILE
                case["launches"][1] |= {
                    "status": "crashed",
                    "failure": {"kind": HOSTILE, "message": HOSTILE, "detail": HOSTILE},
                }
            first = report["cases"][0]
            first |= {"status": "crashed", "failure": first["launches"][1]["failure"]}
            report["run"]["plan"] = [case["id"] for case in report["cases"]]
            report["run"]["started_at"] = report["run"]["suite"] = HOSTILE
            report["host"]["name"] = report["host"]["cpu"]["model"] = HOSTILE
            report["host"]["os"]["name"] = report["tool"]["version"] = HOSTILE

        return self.multiplied(name, change=change)

    def hostile_pages(self):
        """Pages of one report, of two reports of one machine, and of reports of two machines."""
        first = self.hostile("a.json")
        self.write("b.json", copy.deepcopy(self.report("a.json")) | {"run": self.report("a.json")["run"] | {"id": "b"}})
        yield self.page(first)
        yield self.page(first, "b.json")
        yield self.page(first, self.multiplied("c.json", seed=2, host="c"))
