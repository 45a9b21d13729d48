"""Tests of planted_faults.py: each fault of the list has its place, and how it is planted there."""

from pathlib import Path

import planted_faults
from folders import FolderTest
from support import run


class PlantedFaults(FolderTest):
    def fault(self, old: str = "a < b", new: str = "true") -> dict:
        return {"name": "x.y", "folder": "x", "old": old, "new": new}

    def test_each_of_the_list_has_its_place(self) -> None:
        code, out, _ = run(planted_faults.main, "--anchors")
        self.assertEqual((code, out.count("\n")), (0, 1), out)
        self.assertGreaterEqual(len(planted_faults.read_faults()), 60)
        self.assertEqual(run(planted_faults.main, "--anchors", "--only", "no-such-fault")[0], 2)

    def test_expressions_and_whole_texts(self) -> None:
        chosen = 'mpsbench_fault("x.y")'
        self.assertEqual(planted_faults.planted(self.fault()), f"({chosen} ? (true) : (a < b))")
        self.assertEqual(planted_faults.planted(self.fault("if (a)", "if (!FAULT && a)")), f"if (!{chosen} && a)")

    def test_the_tests_that_must_find_it(self) -> None:
        unit, e2e = self.fault(), self.fault() | {"tests": "e2e.x"}
        self.assertEqual(planted_faults.targets_of([unit]), ["x_tests"])
        self.assertEqual(planted_faults.targets_of([unit, e2e]), ["all"])
        self.assertEqual(planted_faults.command_of(unit, Path("tree"), 9)[0], "tree/bin/x_tests")
        command = planted_faults.command_of(e2e, Path("tree"), 9)
        self.assertEqual(command[:5], ("ctest", "--test-dir", "tree", "-R", r"^e2e\.x$"))

    def test_a_text_that_is_not_there_once(self) -> None:
        for text, problem in (("", "has 0 times"), ("a < b; a < b", "has 2 times"), ("a < b", "")):
            self.write("src/x/a.cpp", text)
            problems = planted_faults.check_anchors([self.fault()], self.folder)
            self.assertEqual(len(problems), bool(problem))
            self.assertIn(problem, "".join(problems))
