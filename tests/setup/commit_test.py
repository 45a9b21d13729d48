"""Tests cmake/commit.cmake, which every build runs, in a small checkout.

commit_test.py CMAKE
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CMAKE = sys.argv[1]
SCRIPT = Path(__file__).resolve().parents[2] / "cmake" / "commit.cmake"
UNKNOWN = ("", "false")


class Commit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        self.source = self.top / "checkout"
        self.header = self.top / "commit.hpp"
        self.write("src/a.cpp", "int a;\n")
        self.write("docs/a.md", "A\n")

    def write(self, path, text):
        file = self.source / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def git(self, *words, folder=None):
        person = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        command = ["git", *person, *words]
        done = subprocess.run(command, cwd=folder or self.source, check=True, capture_output=True, text=True)
        return done.stdout.strip()

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
        values = [line.split(" = ")[1].strip('";') for line in self.header.read_text().splitlines() if " = " in line]
        return tuple(values)

    def test_changes_of_the_programs_are_told(self):
        commit = self.commit()
        self.assertEqual(self.told(), (commit, "false"))
        self.write("src/a.cpp", "int b;\n")
        self.assertEqual(self.told(), (commit, "true"))
        self.git("add", "-A")
        self.assertEqual(self.told(), (commit, "true"))
        again = self.commit()
        self.assertNotEqual(again, commit)
        self.assertEqual(self.told(), (again, "false"))

    def test_a_new_source_is_a_change(self):
        commit = self.commit()
        self.git("config", "status.showUntrackedFiles", "no")
        self.write("src/b.cpp", "int b;\n")
        self.assertEqual(self.told(), (commit, "true"))

    def test_other_files_are_not(self):
        commit = self.commit()
        self.write("docs/a.md", "B\n")
        self.write("results/a.json", "{}\n")
        self.assertEqual(self.told(), (commit, "false"))

    def test_an_unchanged_header_is_not_written(self):
        self.commit()
        self.told()
        os.utime(self.header, (1, 1))
        self.told()
        self.assertEqual(self.header.stat().st_mtime, 1)

    def test_in_a_worktree(self):
        commit = self.commit()
        other = self.top / "worktree"
        self.git("worktree", "add", "-q", str(other))
        self.assertEqual(self.told(other), (commit, "false"))

    def test_unknown_without_a_commit(self):
        self.git("init", "-q")
        self.assertEqual(self.told(), UNKNOWN)

    def test_unknown_without_git(self):
        self.commit()
        self.assertEqual(self.told(PATH="/nowhere"), UNKNOWN)

    def test_unknown_for_a_release_archive_inside_another_checkout(self):
        self.git("init", "-q", folder=self.top)
        self.git("commit", "-q", "--allow-empty", "-m", "A", folder=self.top)
        self.assertEqual(self.told(), UNKNOWN)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
