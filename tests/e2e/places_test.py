"""If the report's place is full, read-only or odd, or disappears, the run is refused at the start or loses nothing."""

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from support import FrontTest, is_root_on_linux

PLACES = ("tiny.json/r.json", "folder", "folder/", "pipe.json", "/proc/r.json")


def lock(test, folder):
    if not shutil.which("chattr") or subprocess.run(["chattr", "+i", folder], capture_output=True).returncode != 0:
        test.skipTest("chattr +i is refused here")
    test.addCleanup(subprocess.run, ["chattr", "-i", folder])


class Refused(FrontTest):
    def expect_place_refused(self, place, option="--export-json"):
        self.expect_refused("run", "-m", "tiny.json", "--mode", "infer", option, place, says=[option])

    def test_no_place_for_a_file(self):
        (self.work / "folder").mkdir()
        os.mkfifo(self.work / "pipe.json")
        for option in ("--export-json", "--dump-first-step"):
            for place in (*PLACES, "n" * 300, "/dev/stdout", "/dev/fd/2", "/dev/null"):
                self.expect_place_refused(place, option)
        self.expect_place_refused("r.jsonl")
        for place in ("folder", "tiny.json/log", "/proc/log"):
            self.expect_place_refused(place, "--log-file")

    def test_default_place_is_a_file(self):
        self.write("results", "not a folder")
        self.expect_refused("run", "-m", "tiny.json", says=["results", "--export-json"])

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


class Earlier(FrontTest):
    def test_an_earlier_report_is_kept(self):
        first = self.run_tiny("-r", "1")
        self.assertGreater(first["host"]["disk_free_bytes"], 0)
        self.run_tiny("-r", "1")
        self.assertIn("out.json.1", self.said.err)
        self.assertEqual(self.report("out.json.1"), first)
        second = self.report()
        self.run_tiny("-r", "1", "-q")
        self.assertEqual(self.report("out.json.2"), second)
        before = self.files()
        self.expect(0, "run", "--resume", "out.json")
        self.assertEqual(self.files(), before)


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

    def test_removed(self):
        said = self.run_meanwhile(shutil.rmtree)
        self.assertEqual(said.code, 0, said)
        self.assertIn("warning: ", said.err)
        self.expect_complete()
        self.assertEqual({path.name for path in (self.work / "results").iterdir()}, {"r.json"})

    def test_renamed_or_without_its_journal(self):
        for number, change in enumerate(
            (lambda folder: folder.rename(self.work / "moved"), lambda folder: (folder / "r.jsonl").unlink())
        ):
            (self.folder / "starts").unlink(missing_ok=True)
            said = self.run_meanwhile(change, f"results{number}")
            self.assertEqual(said.code, 0, said)
            self.expect_complete(f"results{number}/r.json")

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
    def test_disk_full_from_the_start(self):
        self.mount("size=64k")
        (self.work / "disk" / "filler").write_bytes(bytes(64 << 10))
        self.expect_refused("run", "-m", "tiny.json", "--export-json", "disk/r.json", says=["disk/r", "--export-json"])

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

    @unittest.skipUnless(is_root_on_linux(), "needs root on Linux")
    def test_disk_full_for_the_report_only(self):
        """There is room for the journal, but not for the report, which is longer."""
        self.mount("size=64k")
        session = [{"normal": {"samples": 400}}]
        options = ("run", "-m", "tiny.json", "--mode", "infer", "-r", "3", "--export-json", "disk/r.json")
        said = self.expect(5, *options, session=session)
        self.assertEqual(len(self.journal("disk/r.jsonl")[1]), 3)
        self.assertIn("disk/r.jsonl", said.err)
        self.remount("size=4m")
        self.expect(0, "run", "--resume", "disk/r.jsonl", session=["hello", {"signal": "SEGV"}])
        self.expect_complete("disk/r.json")

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

    def test_with_one_name(self):
        """One run gets the name; the other is refused with a message."""
        first = self.start_until_here("run", "-m", "tiny.json", "--export-json", "r.json")
        self.expect_refused("run", "-m", "tiny.json", "--export-json", "r.json", says=["r.jsonl"])
        self.interrupt(first)
