"""Tests cmake/commit.cmake, which every build runs, in a small checkout.

commit_test.py CMAKE
"""

import os
import subprocess
import sys
from pathlib import Path

from folders import FolderTest

CMAKE = sys.argv.pop(1)
SCRIPT = Path(__file__).resolve().parents[2] / "cmake" / "commit.cmake"
UNKNOWN = ("", "false")


class Commit(FolderTest):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "checkout"
        self.header = self.folder / "commit.hpp"
        self.change("src/a.cpp", "int a;\n")
        self.change("docs/a.md", "A\n")

    def change(self, path, text):
        self.write(f"checkout/{path}", text)

    def git(self, *words, folder=None):
        person = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        command, cwd = ["git", *person, *words], folder or self.source
        return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self):
        """Commits everything. Returns the commit as the header has it."""
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "A")
        return self.git("rev-parse", "HEAD")[:12]

    def told(self, source=None, **environment):
        """Runs the script. Returns what the header says."""
        words = [CMAKE, "-D", f"SOURCE={source or self.source}", "-D", f"OUTPUT={self.header}", "-P", str(SCRIPT)]
        done = subprocess.run(words, env=os.environ | environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        lines = self.header.read_text().splitlines()
        return tuple(line.split(" = ")[1].strip('";') for line in lines if " = " in line)

    def test_changes_of_the_programs_are_told(self):
        commit = self.commit()
        self.assertEqual(self.told(), (commit, "false"))
        self.change("src/a.cpp", "int b;\n")
        self.assertEqual(self.told(), (commit, "true"))
        self.git("add", "-A")
        self.assertEqual(self.told(), (commit, "true"))
        again = self.commit()
        self.assertNotEqual(again, commit)
        self.assertEqual(self.told(), (again, "false"))

    def test_a_new_source_is_a_change(self):
        commit = self.commit()
        self.git("config", "status.showUntrackedFiles", "no")
        self.change("src/b.cpp", "int b;\n")
        self.assertEqual(self.told(), (commit, "true"))

    def test_other_files_are_not(self):
        commit = self.commit()
        self.change("docs/a.md", "B\n")
        self.change("results/a.json", "{}\n")
        self.assertEqual(self.told(), (commit, "false"))

    def test_an_unchanged_header_is_not_written(self):
        self.commit()
        self.told()
        os.utime(self.header, (1, 1))
        self.told()
        self.assertEqual(self.header.stat().st_mtime, 1)

    def test_in_a_worktree(self):
        commit = self.commit()
        other = self.folder / "worktree"
        self.git("worktree", "add", "-q", str(other))
        self.assertEqual(self.told(other), (commit, "false"))

    def test_unknown_without_a_commit(self):
        self.git("init", "-q")
        self.assertEqual(self.told(), UNKNOWN)

    def test_unknown_without_git(self):
        self.commit()
        self.assertEqual(self.told(PATH="/nowhere"), UNKNOWN)

    def test_unknown_for_a_release_archive_inside_another_checkout(self):
        self.git("init", "-q", folder=self.folder)
        self.git("commit", "-q", "--allow-empty", "-m", "A", folder=self.folder)
        self.assertEqual(self.told(), UNKNOWN)
