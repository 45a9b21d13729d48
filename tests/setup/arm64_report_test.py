"""Tests which reports scripts/dev/check_arm64 accepts as good runs on Arm."""

import copy
import subprocess
import sys
from pathlib import Path

from folders import FolderTest

CHECK = Path(__file__).resolve().parents[2] / "scripts" / "dev" / "lib" / "arm64_report.py"
HOST = {"os": {"arch": "aarch64"}, "libtorch": {"architecture": "arm64"}}
GOOD = {"host": HOST, "cases": [{"status": "ok", "launches": [{"status": "ok"}]}]}


class Report(FolderTest):
    def check(self, report):
        command = [sys.executable, CHECK, self.write("report.json", report)]
        return subprocess.run(command, capture_output=True, text=True)

    def test_good(self):
        done = self.check(GOOD)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_anything_else(self):
        for keys, value in (
            (("host", "os", "arch"), "x86_64"),
            (("host", "libtorch", "architecture"), "x86_64"),
            (("cases", 0, "status"), "failed"),
            (("cases", 0, "launches", 0, "status"), "timeout"),
            (("cases", 0, "launches"), []),
            (("cases",), []),
        ):
            with self.subTest(keys):
                report = copy.deepcopy(GOOD)
                place = report
                for key in keys[:-1]:
                    place = place[key]
                place[keys[-1]] = value
                done = self.check(report)
                self.assertEqual(done.returncode, 1)
                self.assertIn("the report says", done.stderr)
