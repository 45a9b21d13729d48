"""Tests the Python package mpsbench.

package_test.py MPSBENCH FAKE_WORKER
"""

import copy
import csv
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from unittest import mock

MPSBENCH, FAKE_WORKER = (Path(sys.argv.pop(1)).resolve() for _ in range(2))
SOURCE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "python")]

import wanted  # noqa: E402

wanted.packages("numpy")
import mpsbench  # noqa: E402
import numpy  # noqa: E402
from folders import FolderTest  # noqa: E402

WORKER = {"MPSBENCH_WORKER": str(FAKE_WORKER)}
INFER = ["-m", "mlp", "--mode", "infer", "-d", "cpu", "--threads", "1"]  # fewer threads are not tried then
PATIENCE = 60  # seconds
# The last one has no LibTorch and no times.
NAMES = ("h200-four-models", "published/m1pro-20220522", "published/m4")
REPORTS = [SOURCE / f"results/{name}.json" for name in NAMES]


class Load(FolderTest):
    def test_has_the_columns_of_csv(self):
        new = self.folder / "new.json"
        words = ["run", "-m", "mlp", "-d", "cpu", "-b", "4,8", "-r", "2", "--threads", "1", "--export-json", new]
        subprocess.run([MPSBENCH, *words], env=os.environ | WORKER, capture_output=True, check=True)
        for report in (*REPORTS, new):
            text = subprocess.run([MPSBENCH, "export", report, "-f", "csv"], capture_output=True, text=True, check=True)
            rows = list(csv.DictReader(io.StringIO(text.stdout)))
            records = mpsbench.load(report)
            self.assertEqual([row["id"] for row in rows], [record["id"] for record in records])
            for row, record in zip(rows, records, strict=True):
                for key, cell in row.items():
                    with self.subTest(report=report.name, id=row["id"], key=key):
                        # Older reports lack keys that have come since.
                        self.check_cell(cell, record[key] if report == new else record.get(key))

    def check_cell(self, cell, value):
        if isinstance(value, list):
            self.assertEqual(cell, " ".join(value))
        elif isinstance(value, int | float):
            self.assertAlmostEqual(float(cell), value, delta=1e-9 * abs(value))
        else:
            self.assertEqual(cell, value or "")

    def test_has_the_name_of_the_accelerator(self):
        for report, name in zip(REPORTS, ("NVIDIA H200", "Apple M1 Pro", "Apple M4"), strict=True):
            for record in mpsbench.load(report):
                self.assertEqual(record["accelerator"], None if record["device"] == "cpu" else name)

    def test_has_the_samples_of_each_launch(self):
        record = mpsbench.load(REPORTS[0])[0]
        launches = json.loads(REPORTS[0].read_text(encoding="utf-8"))["cases"][0]["launches"]
        self.assertIsInstance(record["samples_seconds"][0], numpy.ndarray)
        samples = [one.tolist() for one in record["samples_seconds"]]
        self.assertEqual(samples, [launch["samples_seconds"] for launch in launches])

    def test_warns_of_figures_that_do_not_follow_from_the_samples(self):
        report = json.loads(REPORTS[0].read_text(encoding="utf-8"))
        for group, key in (("step_seconds", "median"), ("rows_per_second", "value")):
            changed = copy.deepcopy(report)
            changed["cases"][1]["metrics"][group][key] *= 1.01
            with self.assertWarnsRegex(RuntimeWarning, "the metrics of 1 case do not follow from the samples"):
                mpsbench.load(self.write("r.json", changed))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for path in (*SOURCE.glob("results/*.json"), *SOURCE.glob("results/published/*.json")):
                mpsbench.load(path)

    def test_says_what_is_wrong(self):
        for text, words in (
            ("{", "is not JSON"),
            ("[]", "is not a report"),
            ('{"schema_version": 2, "cases": []}', "schema version 2"),
            ('{"schema_version": 1, "cases": [{}]}', "is damaged"),
        ):
            with self.assertRaisesRegex(mpsbench.ReportError, words):
                mpsbench.load(self.write("r.json", text))
        with self.assertRaises(FileNotFoundError):
            mpsbench.load("none.json")


class Run(FolderTest):
    def setUp(self):
        super().setUp()
        path = f"{MPSBENCH.parent}{os.pathsep}{os.environ['PATH']}"
        self.enter(mock.patch.dict(os.environ, {"PATH": path} | WORKER))

    def test_returns_the_records(self):
        records = mpsbench.run(*INFER, "-r", 2)
        self.assertEqual([record["status"] for record in records], ["ok"])
        self.assertEqual(len(records[0]["samples_seconds"]), 2)

    def test_keeps_the_report_that_it_is_asked_for(self):
        for word in ("--export-json", "--export-json="):
            file = self.folder / f"{len(word)}.json"
            option = [word, file] if word.endswith("n") else [f"{word}{file}"]
            records = mpsbench.run(*INFER, *option)
            self.assertEqual(mpsbench.load(file)[0]["id"], records[0]["id"])

    def test_passes_on_what_the_program_says(self):
        with self.assertRaisesRegex(mpsbench.ProgramError, "unknown model 'none'") as caught:
            mpsbench.run("-m", "none")
        self.assertEqual(caught.exception.returncode, 2)

    def test_passes_on_warnings(self):
        session = {"rules": [{"case": "probe", "actions": [{"probe": {"git_commit": "0123456789ab"}}]}]}
        os.environ["MPSBENCH_FAKE_SESSION"] = json.dumps(session)
        file = self.folder / "r.json"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            mpsbench.run("-m", "mlp", "--mode", "infer", "--threads", 1, "--export-json", file)
        if json.loads(file.read_text(encoding="utf-8"))["tool"]["git_commit"] is None:
            self.skipTest("this build knows no commit")
        self.assertTrue(any("its worker is of commit 0123456789ab" in str(one.message) for one in caught), caught)
        self.assertEqual({one.filename for one in caught if one.category is RuntimeWarning}, {__file__})

    def test_warns_of_a_run_that_is_not_complete(self):
        session = {"counter": str(self.folder / "starts"), "rules": [{"launch": 2, "actions": [{"signal": "ABRT"}]}]}
        os.environ["MPSBENCH_FAKE_SESSION"] = json.dumps(session)
        with self.assertWarnsRegex(RuntimeWarning, "exit code 5: some launches did not finish"):
            (record,) = mpsbench.run(*INFER, "-r", 2, "--color", "always")
        self.assertEqual(record["launches"], 2)

    def test_finds_warnings_in_colour(self):
        from mpsbench import _program

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            _program._pass_on(0, "\x1b[33m\x1b[1mwarning: \x1b[mslow\nother words\n")
        self.assertEqual([str(one.message) for one in caught], ["slow"])

    def test_refuses_a_list_of_words_and_a_missing_value(self):
        with self.assertRaisesRegex(TypeError, "single words"):
            mpsbench.run(["-m", "mlp"])
        with self.assertRaisesRegex(ValueError, "--export-json: its value"):
            mpsbench.run(*INFER, "--export-json")
        with self.assertRaisesRegex(mpsbench.ProgramError, "--export-json: its value is missing before '--dry-run'"):
            mpsbench.run(*INFER, "--export-json", "--dry-run")

    def test_a_run_without_a_report_is_an_error(self):
        with self.assertRaisesRegex(mpsbench.ProgramError, "."):
            mpsbench.run(*INFER, "--dry-run")

    def test_does_not_return_an_earlier_report(self):
        file = self.folder / "r.json"
        mpsbench.run(*INFER, "--export-json", file)
        with self.assertRaises(mpsbench.ProgramError):
            mpsbench.run(*INFER, "--dry-run", "--export-json", file)

    def hang_in_second_launch(self):
        """Returns the file that the second launch writes before it hangs."""
        hangs = self.folder / "hangs"
        actions = ["hello", {"write_file": {"path": str(hangs), "text": "$pid"}}, "hang"]
        session = {"counter": str(self.folder / "starts"), "rules": [{"launch": 2, "actions": actions}]}
        os.environ["MPSBENCH_FAKE_SESSION"] = json.dumps(session)
        return hangs

    def await_file(self, file):
        end = time.monotonic() + PATIENCE
        while not file.exists():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def test_an_interrupted_program_has_a_report(self):
        hangs, started = self.hang_in_second_launch(), []

        def start(*arguments, **options):
            started.append(subprocess_popen(*arguments, **options))
            return started[0]

        def interrupt():
            self.await_file(hangs)
            started[0].send_signal(signal.SIGINT)

        subprocess_popen = subprocess.Popen
        thread = threading.Thread(target=interrupt)
        thread.start()
        with (
            mock.patch("subprocess.Popen", start),
            self.assertWarnsRegex(RuntimeWarning, "exit code 130: the run was interrupted"),
        ):
            (record,) = mpsbench.run(*INFER, "-r", 2)
        thread.join()
        self.assertIn("incomplete", record["flags"])
        self.assertEqual(len(record["samples_seconds"]), 1)

    def test_after_ctrl_c_the_report_is_complete(self):
        hangs, file = self.hang_in_second_launch(), self.folder / "r.json"
        code = f"import mpsbench; mpsbench.run(*{INFER}, '-r', 2, '--export-json', {str(file)!r})"
        env = os.environ | {"PYTHONPATH": str(SOURCE / "python")}
        command = [sys.executable, "-c", code]
        python = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.await_file(hangs)
        os.killpg(python.pid, signal.SIGINT)  # as a terminal does
        said = python.communicate(timeout=PATIENCE)[1]
        self.assertTrue(said.rstrip().endswith("KeyboardInterrupt"), said)
        self.assertIn("incomplete", mpsbench.load(file)[0]["flags"])

    def test_finds_the_program_of_one_user(self):
        own = self.folder / "bin/mpsbench"
        own.parent.mkdir()
        own.touch()
        env = os.environ | {"PYTHONPATH": str(SOURCE / "python"), "PYTHONUSERBASE": str(self.folder)}
        code = "import mpsbench._program as p; print(p.program())"
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, f"{own}\n")

    def test_says_that_there_is_no_program(self):
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}), self.assertRaises(FileNotFoundError):
            mpsbench.run("-m", "mlp")
