"""Compares the Homebrew formula with the version and packages of the build, and checks its syntax if Ruby is there."""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
FORMULA = SOURCE / "packaging/homebrew/mpsbench.rb"


def brew_names(key):
    """The names of Homebrew's packages for a package of the build."""
    code = f"root={SOURCE}; source scripts/lib/packages.sh; package_names brew {key}"
    done = subprocess.run(["bash", "-euc", code], cwd=SOURCE, check=True, capture_output=True, text=True)
    return set(done.stdout.split())


class Formula(unittest.TestCase):
    def setUp(self):
        self.text = FORMULA.read_text(encoding="utf-8")

    def test_builds_this_version(self):
        version = re.search(r"^project\(mpsbench VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text(), re.M)[1]
        self.assertEqual(re.search(r'^  url ".*/mpsbench-(.*)\.tar\.gz"$', self.text, re.M)[1], version)

    def test_has_the_packages_of_the_build(self):
        listed = re.findall(r'^set\(mpsbench_(?:optional_)?packages((?:\s+"[^"]+")+)\)', self.packages(), re.M)
        keys = [package.split()[0] for group in listed for package in re.findall(r'"([^"]+)"', group)]
        wanted = {"pytorch", "cmake", "ninja"}.union(*map(brew_names, keys))
        self.assertGreater(len(wanted), 8)
        self.assertEqual(set(re.findall(r'^  depends_on "([^"]+)"', self.text, re.M)), wanted)

    def packages(self):
        return (SOURCE / "cmake/packages.cmake").read_text(encoding="utf-8")

    @unittest.skipUnless(shutil.which("ruby"), "needs ruby")
    def test_is_ruby(self):
        done = subprocess.run(["ruby", "-c", FORMULA], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "Syntax OK\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
