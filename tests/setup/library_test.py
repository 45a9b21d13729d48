"""Does what docs/library.md says, as another project would: installs the built tree, builds the example against it,
runs it, and reads its reports.

    library_test.py CMAKE BUILD GENERATOR NINJA CXX INCLUDE [FLAGS...]

INCLUDE: the folders of nlohmann_json's headers, between colons. FLAGS: for the compiler CXX.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from doc_pages import blocks

SOURCE = Path(__file__).resolve().parents[2]
CMAKE, BUILD, GENERATOR, NINJA, CXX, INCLUDE, *FLAGS = sys.argv[1:]
del sys.argv[1:]
PAGE = blocks(SOURCE / "docs/library.md")
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
EXAMPLE = SOURCE / "examples/library"
INCLUDES = re.compile(r'^#include "(.+)"', re.MULTILINE)
CASE = "my-network/infer/cpu/b1/fp32/eager/synthetic"


class Library(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name).resolve() / "work"
        programs, cls.tree = cls.work.parent / "programs", cls.work.parent / "home/mpsbench"
        for place in (cls.work / "build", programs, cls.tree.parent):
            place.mkdir(parents=True)
        example = Path(shutil.copytree(EXAMPLE, cls.work / "examples/library")) / "time_my_network.cpp"
        parts = example.read_text().split(".threads = 1}")
        assert len(parts) == 2, "where this test shortens the example's ten seconds"
        example.write_text(".threads = 1, .measure = {.warmup = {}, .max_time_seconds = 1}}".join(parts))
        links = {cls.work / "build/release": BUILD, programs / "cmake": CMAKE, programs / Path(NINJA).name: NINJA}
        for link, target in links.items():
            link.symlink_to(target)
        path = f"{programs}:{cls.tree / 'bin'}:{os.environ['PATH']}"
        home = {"HOME": str(cls.tree.parent), "XDG_STATE_HOME": str(cls.tree.parent)}
        compiler = {"CMAKE_GENERATOR": GENERATOR, "CXX": CXX, "CXXFLAGS": " ".join([*FLAGS, *WARNINGS])}
        cls.env = os.environ | home | compiler | {"PATH": path}
        cls.printed = {block.text: cls.shell(block.text) for block in PAGE if block.language == "sh"}

    @classmethod
    def shell(cls, text, code=0):
        command = ["bash", "-euo", "pipefail", "-c", text]
        done = subprocess.run(command, cwd=cls.work, env=cls.env, capture_output=True, text=True, check=False)
        if done.returncode != code:
            raise AssertionError(f"{text}\nexit {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def block_with(self, words):
        (printed,) = (printed for text, printed in self.printed.items() if words in text)
        return printed

    def report(self, name):
        return json.loads((self.work / name).read_text())

    def test_the_page_shows_the_example(self):
        shown = [block.text for block in PAGE if block.language in {"cmake", "cpp"}]
        files = [EXAMPLE / name for name in ("CMakeLists.txt", "time_my_network.cpp", "read_report.cpp")]
        self.assertEqual(shown, [file.read_text() for file in files])

    def test_the_loop_is_timed_and_its_time_is_printed(self):
        (case,) = self.report("run1.json")["cases"]
        self.assertEqual((case["id"], case["status"]), (CASE, "ok"))
        (launch,) = case["launches"]
        self.assertGreater(min(launch["samples_seconds"]), 0)
        self.assertIn("within-launch", case["flags"])
        self.assertRegex(self.block_with("cmake --build"), r"[\d.e-]+ s per step, \d+ rows/s\n$")

    def test_reports_are_valid(self):
        checked = self.shell("mpsbench validate run*.json my-network.json")
        self.assertEqual(checked.count(": ok: report of "), 4)
        try:
            from jsonschema import Draft202012Validator
        except ImportError:
            return
        schema = json.loads((SOURCE / "configs/schema/report.schema.json").read_text())
        Draft202012Validator(schema).validate(self.report("my-network.json"))

    def test_several_launches_are_one_case(self):
        (case,) = self.report("my-network.json")["cases"]
        self.assertEqual(len(case["launches"]), 3)
        self.assertNotIn("within-launch", case["flags"])
        (row,) = csv.DictReader(self.block_with("mpsbench export").splitlines()[-2:])
        self.assertEqual(row["id"], CASE)
        self.assertEqual(float(row["step_seconds"]), case["metrics"]["step_seconds"]["median"])

    def test_reports_can_be_compared_and_exported(self):
        self.assertIn("my-network", self.shell("mpsbench compare run1.json run2.json"))
        for form in ("md", "html", "junit", "google-benchmark", "github-action", "bencher"):
            self.assertIn("my-network", self.shell(f"mpsbench export my-network.json -f {form}"))

    def test_the_reader_prints_the_report(self):
        report = self.report("my-network.json")
        cpu, case = self.block_with("read_report").splitlines()
        self.assertEqual(cpu, report["host"]["cpu"]["model"])
        self.assertTrue(case.startswith(f"{CASE}: "))
        self.assertIn("no-such.json", self.shell("build/example/read_report no-such.json", code=2))

    def test_a_loop_cannot_be_resumed(self):
        said = self.shell("mpsbench run --resume run1.json", code=2)
        self.assertIn("run1.json holds a loop that another program timed; run that program again", said)

    def test_headers_include_only_installed_ones_and_compile_alone(self):
        include = self.tree / "include"
        headers = {str(file.relative_to(include)) for file in include.rglob("*.hpp")}
        self.assertIn("mpsbench/schema/report.hpp", headers)
        included = {name for header in headers for name in INCLUDES.findall((include / header).read_text())}
        self.assertEqual(included | {"mpsbench/timing.hpp"}, headers)
        folders = [f"-I{include}", *(f"-idirafter{folder}" for folder in INCLUDE.split(":"))]
        command = [CXX, *FLAGS, *WARNINGS, "-std=c++20", "-fsyntax-only", *folders]

        def compile_alone(names):
            source = "".join(f'#include "{name}"\n' for name in names)
            done = subprocess.run([*command, "-x", "c++", "-"], input=source, capture_output=True, text=True)
            return done.stderr

        # tests/headers_check.py knows that the others, which their sources include first, compile alone.
        alone = [[name] for name in sorted(headers) if not (SOURCE / "src" / name[9:]).with_suffix(".cpp").exists()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            self.assertEqual(set(pool.map(compile_alone, [sorted(headers), *alone])), {""})

    def test_the_programs_alone_are_one_component(self):
        self.shell('cmake --install build/release --prefix "$HOME/programs" --component Unspecified')
        programs = self.tree.parent / "programs"
        self.assertTrue((programs / "bin/mpsbench").exists())
        self.assertEqual([*programs.rglob("*.hpp"), *programs.rglob("*.a"), *programs.rglob("*.cmake")], [])
