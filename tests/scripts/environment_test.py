"""A script whose Python lacks its packages restarts in an environment that has them, or says what to do."""

import contextlib
import io
import os
import sys
import unittest
from pathlib import Path
from unittest import mock

from folders import FolderTest
from mpsbench_py import environment

# A Python that can import what pip installed. `-m venv FOLDER` makes a copy of it.
PYTHON = """#!/bin/sh
case "$1 $2" in
  "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  "-m pip") test ! -f "$FAIL" || { echo "no network" >&2; exit 1; }; touch "$(dirname "$0")/packages" ;;
  *) test -f "$(dirname "$0")/packages" ;;
esac
"""


class WentThere(Exception):
    pass


class EnvironmentTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.venv = self.folder / "venv"
        variables = {"XDG_CACHE_HOME": str(self.folder / "cache"), "FAIL": str(self.folder / "fail")}
        self.enter(
            mock.patch.object(environment, "VENV", self.venv),
            mock.patch.object(environment.os, "execv", side_effect=WentThere),
            mock.patch.dict(os.environ, variables),
        )

    def make_venv(self, packages):
        self.write("venv/bin/python", PYTHON, 0o755)
        if packages:
            self.write("venv/bin/packages", "")

    def refusal(self, *modules, **options):
        said = io.StringIO()
        function = environment.require if "cure" in options else environment.require_own
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as ended:
            function(*modules, **options)
        self.assertEqual(ended.exception.code, 2)
        return said.getvalue()


class Require(EnvironmentTest):
    def test_stays_where_everything_is(self):
        environment.require("json", "os", cure="")

    def test_goes_to_the_environment_that_has_it(self):
        self.make_venv(packages=True)
        with self.assertRaises(WentThere):
            environment.require("no_such_module", cure="")
        environment.os.execv.assert_called_with(str(self.venv / "bin/python"), mock.ANY)

    def test_says_the_cure_where_nothing_has_it(self):
        self.make_venv(packages=False)
        said = self.refusal("json", "no_such_module", cure="scripts/test sets it up")
        self.assertIn("no_such_module is missing: scripts/test sets it up", said)
        self.assertNotIn("json", said)
        said = self.refusal("no_such_module", "nor_this", cure="")
        self.assertIn("no_such_module, nor_this are missing: ", said)

    def test_does_not_go_round_in_circles(self):
        self.make_venv(packages=True)
        with mock.patch.object(sys, "prefix", str(self.venv)):
            self.refusal("no_such_module", cure="")


class RequireOwn(EnvironmentTest):
    OPTIONS = {"name": "charts", "requirements": "requirements.txt"}

    def setUp(self):
        super().setUp()
        self.enter(mock.patch.object(sys, "executable", str(self.write("started/python", PYTHON, 0o755))))

    def kept(self):
        return sorted(path.name for path in (self.folder / "cache" / "mpsbench").glob("*"))

    def go(self):
        """Returns what was said, and the Python that the script went to."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(WentThere):
            environment.require_own("no_such_module", **self.OPTIONS)
        return said.getvalue(), Path(environment.os.execv.call_args.args[0])

    def test_stays_where_everything_is(self):
        environment.require_own("json", **self.OPTIONS)
        self.assertEqual(self.kept(), [])

    def test_prefers_the_checkouts_environment(self):
        self.make_venv(packages=True)
        self.assertEqual(self.go(), ("", self.venv / "bin/python"))

    def test_installs_once_into_the_cache_and_says_so_in_one_line(self):
        self.make_venv(packages=False)
        before = sorted(self.venv.rglob("*"))
        said, python = self.go()
        self.assertEqual(len(said.splitlines()), 1)
        self.assertIn(str(self.folder / "cache" / "mpsbench" / "charts-"), said)
        self.assertTrue(python.is_file())
        self.assertEqual(self.kept(), [python.parents[1].name])
        self.assertEqual(sorted(self.venv.rglob("*")), before)
        self.assertEqual(self.go(), ("", python))

    def test_makes_a_broken_one_again(self):
        _, python = self.go()
        (python.parent / "packages").unlink()
        said, again = self.go()
        self.assertIn("installing", said)
        self.assertEqual(again, python)

    def test_an_installation_that_fails_leaves_nothing_and_prints_the_command(self):
        (self.folder / "fail").touch()
        said = self.refusal("no_such_module", **self.OPTIONS)
        self.assertIn("no network\n", said)
        self.assertRegex(said, r"no_such_module is missing: pip install -r \S*/scripts/requirements\.txt\n$")
        self.assertEqual(self.kept(), [])

    def test_does_not_go_round_in_circles(self):
        _, python = self.go()
        with mock.patch.object(sys, "prefix", str(python.parents[1])):
            self.refusal("no_such_module", **self.OPTIONS)


class CacheFolder(unittest.TestCase):
    def folder(self, platform, cache):
        variables = {"HOME": "/home/a", "XDG_CACHE_HOME": cache}
        with mock.patch.dict(os.environ, variables), mock.patch.object(sys, "platform", platform):
            return str(environment.cache_folder())

    def test_is_that_of_the_program(self):
        self.assertEqual(self.folder("linux", "/var/c"), "/var/c/mpsbench")
        self.assertEqual(self.folder("linux", "not/absolute"), "/home/a/.cache/mpsbench")
        self.assertEqual(self.folder("darwin", ""), "/home/a/Library/Caches/mpsbench")
