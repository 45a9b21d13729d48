"""A script started with a Python that lacks its packages restarts in the project's own environment or prints a cure."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401
from mpsbench_py import environment


class WentThere(Exception):
    pass


class Require(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.venv = Path(folder.name) / "venv"
        for change in (
            mock.patch.object(environment, "VENV", self.venv),
            mock.patch.object(environment.os, "execv", side_effect=WentThere),
        ):
            change.start()
            self.addCleanup(change.stop)

    def make_venv(self, answer):
        """A fake Python that always exits with ANSWER."""
        python = self.venv / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f"#!/bin/sh\nexit {answer}\n")
        python.chmod(0o755)

    def refusal(self, *modules, **options):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as ended:
            environment.require(*modules, **options)
        self.assertEqual(ended.exception.code, 2)
        return said.getvalue()

    def test_stays_where_everything_is(self):
        environment.require("json", "os")

    def test_goes_to_the_environment_that_has_it(self):
        self.make_venv(0)
        with self.assertRaises(WentThere):
            environment.require("no_such_module")
        environment.os.execv.assert_called_with(str(self.venv / "bin/python"), mock.ANY)

    def test_says_the_cure_where_nothing_has_it(self):
        self.make_venv(1)
        said = self.refusal("json", "no_such_module", cure="scripts/test sets it up")
        self.assertIn("no_such_module is missing: scripts/test sets it up", said)
        self.assertNotIn("json", said)

    def test_does_not_go_round_in_circles(self):
        self.make_venv(0)
        with mock.patch.object(sys, "prefix", str(self.venv)):
            self.refusal("no_such_module", requirements="requirements.txt")

    def test_an_installation_that_fails(self):
        self.make_venv(1)
        self.assertIn("requirements.txt", self.refusal("no_such_module", requirements="requirements.txt"))

    def test_installs_and_goes_there(self):
        self.make_venv(0)
        with (
            mock.patch.object(environment, "venv_has", return_value=False),
            contextlib.redirect_stderr(io.StringIO()),
            self.assertRaises(WentThere),
        ):
            environment.require("no_such_module", requirements="requirements.txt")


if __name__ == "__main__":
    unittest.main()
