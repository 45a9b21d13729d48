"""Packages of small networks compute what eager PyTorch computes. scripts/dev/check_packages.py does this for all, and
e2e.compiled for every layer type.
"""

import contextlib
import io
import sys
import unittest

import support
import wanted

wanted.packages("torch")

import check_packages  # noqa: E402

PROGRAM = sys.argv.pop(1)


class Packages(unittest.TestCase):
    def check(self, definition: str, *words: str) -> None:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            path = str(support.ROOT / definition)
            code = check_packages.main([path, "--mpsbench", PROGRAM, "--threads", "1", *words])
        self.assertEqual(code, 0, said.getvalue())
        self.assertTrue(said.getvalue().startswith("agrees "), said.getvalue())

    def test_a_network_with_batch_norm_in_channels_last(self) -> None:
        self.check("tests/compiler/files/small.json", "--layouts", "channels-last")

    def test_max_pooling_on_two_threads(self) -> None:
        """In Inductor's own order, the backward pass gives gradients of zero: see packaging_files.py."""
        self.check("tests/compiler/files/pools.json", "--modes", "train", "--threads", "2")
