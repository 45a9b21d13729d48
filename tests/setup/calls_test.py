"""Tests of scripts/mpsbench after the set-up: later calls, simultaneous calls, and failed builds."""

import subprocess

from sandbox import SetupTest


class LaterCalls(SetupTest):
    def test_only_build_what_changed(self):
        self.run_well("list")
        before = len(self.calls())
        self.run_well("run", "quick", "--model", "a b")
        self.assertEqual(self.calls()[before:], ["ninja begins", "ninja ends"])
        self.assertEqual(self.err, "")

    def test_another_torch_is_configured_anew(self):
        self.run_well("list")
        config = self.make_torch("other")
        self.run_well("list", Torch_DIR=str(config))
        self.assertEqual(self.torch_in_use(), config)

    def test_torch_that_went_away_is_looked_for_again(self):
        config = self.make_torch("first")
        self.run_well("list", Torch_DIR=str(config))
        (config / "TorchConfig.cmake").unlink()
        self.run_well("list", Torch_DIR=str(config))
        self.assertIn(".venv", str(self.torch_in_use()))

    def test_failed_build_exits_2_and_is_tried_again(self):
        self.write("build-fails")
        self.run_badly()
        self.assertIn("error: planted", self.err)
        self.forget("build-fails")
        self.run_well("list")
        self.write("build-fails")
        self.run_badly()
        self.assertIn("error: planted", self.err)

    def test_through_a_link_and_from_another_folder(self):
        link = self.bin / "mpsbench"
        link.symlink_to(self.root / "scripts" / "mpsbench")
        done = subprocess.run(
            ["mpsbench", "list"], cwd="/", env=self.environment, executable=link, capture_output=True, text=True
        )
        self.assertEqual((done.returncode, done.stdout), (7, "program: list\n"), done.stderr)


class CallsAtOnce(SetupTest):
    def expect_turns(self):
        self.write("build-slow")
        processes = [self.start("list") for _ in range(3)]
        for process in processes:
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 7)
        self.assertEqual(self.calls("ninja"), ["ninja begins", "ninja ends"] * 3)
        self.assertEqual(len(self.calls("pip")), 1)

    def test_take_turns(self):
        self.expect_turns()

    def test_take_turns_without_flock(self):
        (self.tools / "flock").unlink(missing_ok=True)
        self.expect_turns()
        self.assertFalse((self.root / "build" / ".lock.d").exists())

    def test_lock_of_a_dead_process_is_taken_over(self):
        (self.tools / "flock").unlink(missing_ok=True)
        gone = subprocess.Popen(["true"])
        gone.wait()
        lock = self.root / "build" / ".lock.d"
        lock.mkdir(parents=True)
        (lock / "pid").write_text(f"{gone.pid}\n")
        self.run_well("list")
