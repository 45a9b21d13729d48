"""If the report's place is full, read-only or odd, or disappears, the run is refused at the start or loses nothing."""

import shutil
import subprocess
import unittest
from pathlib import Path

from support import FrontTest, is_root_on_linux


def lock(test, folder):
    if not shutil.which("chattr") or subprocess.run(["chattr", "+i", folder], capture_output=True).returncode != 0:
        test.skipTest("chattr +i is refused here")
    test.addCleanup(subprocess.run, ["chattr", "-i", folder])


class Refused(FrontTest):
    def expect_place_refused(self, place, option="--export-json"):
        self.expect_refused("run", "-m", "tiny.json", "--mode", "infer", option, place, says=[option])

    @unittest.skipUnless(is_root_on_linux(), "needs root on Linux")
    def test_read_only(self):
        locked = self.work / "locked"
        locked.mkdir()
        lock(self, locked)
        self.expect_place_refused("locked/r.json")
        self.expect_place_refused("locked/deeper/r.json")
        self.expect_place_refused("locked/log", "--log-file")

    def test_odd_names_are_no_obstacle(self):
        for name in ("with blank.json", "ünïcode.json", "-dash.json", "no_suffix", "new/deep/er/r.json", "two.parts.x"):
            self.expect(0, "run", "-m", "tiny.json", "--mode", "infer", "-r", "1", f"--export-json={name}")
            self.assertEqual(self.report(name)["run"]["status"], "complete")
        self.assertEqual([path for path in self.files() if path.suffix == ".jsonl"], [])


class TakenAway(FrontTest):
    """Tests in which the report's folder changes while the second of three launches runs."""

    def run_meanwhile(self, change, folder="results"):
        session = self.counted({"launch": 2, "actions": [self.here(), {"sleep": 0.3}, "normal"]})
        options = ("run", "-m", "tiny.json", "--mode", "infer", "-r", "3", "--export-json", f"{folder}/r.json")
        front = self.start_until_here(*options, session=session)
        change(self.work / folder)
        return self.finish(front)

    def expect_complete(self, name="results/r.json"):
        self.assertEqual(list(self.statuses(self.report(name)).values()), [["ok"] * 3])
        self.validate(name)

    def test_replaced_by_a_file(self):
        def replace(folder):
            shutil.rmtree(folder)
            folder.write_text("in the way")

        said = self.run_meanwhile(replace)
        self.assertEqual(said.code, 5, said)
        self.expect_saved_elsewhere(said)

    def expect_saved_elsewhere(self, said, count=2):
        """Expects the report in the folder for temporary files, and its path in the message."""
        saved = [word.strip(";,") for word in said.err.split() if word.strip(";,").endswith(".json") and "/tmp" in word]
        self.addCleanup(lambda: [Path(name).unlink(missing_ok=True) for name in saved])
        self.assertTrue(saved, said)
        self.validate(saved[-1])
        found = [one["status"] for case in self.report(saved[-1])["cases"] for one in case["launches"]]
        self.assertEqual(found, ["ok"] * count)

    @unittest.skipUnless(is_root_on_linux(), "needs root on Linux")
    def test_disk_unplugged(self):
        self.mount("size=4m")
        said = self.run_meanwhile(lambda folder: subprocess.run(["umount", "-l", folder], check=True), "disk")
        self.assertEqual(said.code, 0, said)
        self.expect_complete("disk/r.json")

    @unittest.skipUnless(is_root_on_linux(), "needs root on Linux")
    def test_made_read_only(self):
        """The journal is already open, so it gets the rest. The report cannot be written next to it."""
        folder = self.work / "locked"
        folder.mkdir()
        said = self.run_meanwhile(lambda place: lock(self, place), "locked")
        self.assertEqual(said.code, 5, said)
        self.expect_saved_elsewhere(said, 3)
        self.assertEqual(len(self.journal("locked/r.jsonl")[1]), 3)
        subprocess.run(["chattr", "-i", folder], check=True)
        self.expect(0, "run", "--resume", "locked/r.jsonl")
        self.expect_complete("locked/r.json")

    @unittest.skipUnless(is_root_on_linux(), "needs root on Linux")
    def test_disk_full_during_the_run(self):
        self.mount("size=64k")
        session = [{"normal": {"samples": 400}}]  # about 10 kB per launch
        options = ("run", "-m", "tiny.json", "--mode", "infer", "-r", "12", "--export-json", "disk/r.json")
        said = self.expect(5, *options, session=session)
        self.assertIn("No space left", said.err)
        done = len(self.journal("disk/r.jsonl")[1])
        self.assertIn(done, range(2, 10))
        self.expect_saved_elsewhere(said, done + 1)
        self.remount("size=4m")
        self.validate("disk/r.jsonl")
        said = self.expect(0, "run", "--resume", "disk/r.jsonl", session=session)
        self.assertIn(f"{12 - done} launches to run", said.err)
        self.assertEqual(list(self.statuses(self.report("disk/r.json")).values()), [["ok"] * 12])
        self.assertEqual({path.name for path in (self.work / "disk").iterdir()}, {"r.json"})

    def mount(self, options):
        self.disk = self.work / "disk"
        self.disk.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.disk]
        if subprocess.run(command, capture_output=True).returncode != 0:
            self.skipTest("mount is refused here")
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk])

    def remount(self, options):
        subprocess.run(["mount", "-o", f"remount,{options}", self.disk], check=True)


class TwoAtOnce(FrontTest):
    def test_in_one_folder(self):
        """Each run writes its own report, even if they start in the same second."""
        fronts = [self.start("run", "-m", "tiny.json", "--mode", "infer", "-q") for _ in range(4)]
        for front in fronts:
            said = self.finish(front)
            self.assertEqual(said.code, 0, said)
        reports = list((self.work / "results").iterdir())
        self.assertEqual(len(reports), 4, reports)
        self.validate(*(f"results/{path.name}" for path in reports))
