"""Tests of compare_input.py: mpsbench's input pipeline makes the same as torchvision, and both are timed in turns.

Usage: compare_input_test.py PIPELINE_RATE
"""

import json
import sys

import wanted
from folders import FolderTest
from support import run

wanted.packages("torch", "torchvision", "numpy", "PIL")

import compare_input  # noqa: E402

PROGRAM = sys.argv.pop(1)


def compare(*words: str, tool: str = PROGRAM) -> tuple[int, dict, str]:
    sizes = ("--images", "24", "--batch-size", "4", "--rounds", "2")
    code, out, err = run(compare_input.main, *sizes, *words, "--tool", tool)
    return code, json.loads(out), err


class CompareInput(FolderTest):
    def make_tool(self, lines: str) -> str:
        return str(self.write("tool", f'#!/bin/sh\n{lines}\nexec "{PROGRAM}" "$@"\n', 0o755))

    def test_both_sides_make_the_same_images(self) -> None:
        code, result, progress = compare()
        self.assertEqual(code, 0, result)
        self.assertLess(result["largest_difference"], 1e-6)
        rates = result["round_images_per_second"]
        ratios = sorted(ours / theirs for ours, theirs in zip(rates["mpsbench"], rates["python"], strict=True))
        self.assertEqual((result["ratio"]["min"], result["ratio"]["max"]), (ratios[0], ratios[-1]))
        self.assertEqual(len(progress.splitlines()), 2)

    def test_only_batches_behind_the_first_count(self) -> None:
        tool = self.make_tool("""[ "$1" = rate ] && { echo '{"images": 20, "seconds": 0.5}'; exit; }""")
        _, result, _ = compare("--workers", "1", tool=tool)
        self.assertEqual(result["round_images_per_second"]["mpsbench"], [40, 40])

    def test_other_images_are_not_timed(self) -> None:
        code, result, progress = compare(tool=self.make_tool('[ "$1" = print ] && exec head -c 2408448 /dev/zero'))
        self.assertEqual((code, progress), (1, ""))
        self.assertIn("not the same work", result["error"])

    def test_a_failing_side_is_one_line(self) -> None:
        code, result, _ = compare(tool=self.make_tool("echo no such thing >&2; exit 3"))
        self.assertEqual(code, 1)
        self.assertIn("exit 3: no such thing", result["error"])
        code, result, _ = compare(tool="nonesuch/pipeline_rate")
        self.assertEqual(code, 1)
        self.assertIn("scripts/test builds this program", result["error"])
