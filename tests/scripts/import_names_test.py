"""How import_network.py folds equal groups and reads changes of shapes."""

import unittest

import wanted

wanted.packages("torch")

from mpsbench_py import import_names, import_operations  # noqa: E402


class Entries(unittest.TestCase):
    def test_equal_groups_are_folded(self) -> None:
        def group(name: str, **others: object) -> dict:
            return {"name": name, "layers": [{"type": "add", "inputs": ["x", f"{name}.in"], **others}]}

        folded = import_names.folded([group("a1"), group("a2"), group("a3"), group("a5"), group("a6", dim=1)])
        repeats = [(one["name"], one.get("repeat"), one.get("from")) for one in folded]
        self.assertEqual(repeats, [("a{i}", 3, 1), ("a5", None, None), ("a6", None, None)])
        self.assertEqual(folded[0]["layers"][0]["inputs"], ["x", "a{i}.in"])
        self.assertEqual(folded[1]["layers"][0]["inputs"], ["x", "a5.in"])
        reads = [group("0"), group("1") | {"input": "x"}]
        self.assertEqual(import_names.folded(reads), reads)

    def test_rows_of_sizes_are_regrouped(self) -> None:
        regrouped = import_operations.regrouped
        self.assertEqual(regrouped((2, 6, 4), (2, 3, 2, 4)), [([0], [2]), ([1], [3, 2]), ([2], [4])])
        self.assertEqual(regrouped((2, 6, 4), (2, 24)), [([0], [2]), ([1, 2], [24])])
        self.assertEqual(regrouped((2, 6), (2, 6, 1, 1)), [([0], [2]), ([1], [6, 1, 1])])
        self.assertEqual(regrouped((2, 1, 6), (2, 6)), [([0], [2]), ([1, 2], [6])])
        self.assertIsNone(regrouped((2, 6), (3, 5)))
