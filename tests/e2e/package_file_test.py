"""Tests `--model FILE.pt2`, which loads a user's own package by AOTInductor."""

import os
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import wanted
from real_worker import BATCH, RealWorker

DEVICE = ("-d", "cpu", "--mode", "infer", *BATCH)
SHAPE = ("--input-shape", "7", *DEVICE)


class PackageFile(RealWorker):
    @classmethod
    @wanted.program("c++")
    def setUpClass(cls):
        try:
            import torch
        except ImportError as missing:
            wanted.skip(missing)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cache = os.environ.get("TORCHINDUCTOR_CACHE_DIR", folder.name)
        cls.torch = torch
        cls.module = torch.nn.Sequential(torch.nn.Linear(7, 5), torch.nn.ReLU()).eval()
        cls.package = Path(folder.name) / "net.pt2"
        with mock.patch.dict(os.environ, {"TORCHINDUCTOR_CACHE_DIR": cache}):
            exported = torch.export.export(cls.module, (torch.zeros(4, 7),))
            torch._inductor.aoti_compile_and_package(exported, package_path=str(cls.package))

    def setUp(self):
        super().setUp()
        (self.work / "net.pt2").symlink_to(self.package)
        (self.work / "tmp").mkdir()
        self.env["TMPDIR"] = str(self.work / "tmp")

    def rewritten(self, old, new):
        """Writes odd.pt2, a package in whose names and texts OLD is replaced by NEW."""
        with zipfile.ZipFile(self.package) as source, zipfile.ZipFile(self.work / "odd.pt2", "w") as odd:
            for entry in source.namelist():
                content = source.read(entry)
                content = content.replace(old.encode(), new.encode()) if entry.endswith(".json") else content
                odd.writestr(entry.replace(f"/{old}/", f"/{new}/"), content)

    def test_infers_what_the_module_infers(self):
        options = ("--input-shape", "7", "--classes", "5", "-b", "4", "-d", "cpu", *BATCH)
        report = self.run_tiny(*options, "--dump-first-step", "step.safetensors", model="net.pt2")
        (case,) = report["cases"]
        self.assertEqual((case["status"], case["spec"]["mode"], case["spec"]["model"]), ("ok", "infer", "net-7"))
        self.assertGreater(case["metrics"]["rows_per_second"]["value"], 0)
        self.assertIsNone(case["metrics"]["flops_per_step"])
        self.assertEqual(case["launches"][0].get("agreement", []), [])
        tensors = self.tensors("step.safetensors")
        inputs, logits = (self.torch.tensor(tensors[name][1]).reshape(4, -1) for name in ("input0", "logits"))
        self.assertTrue(self.torch.allclose(self.module(inputs), logits, atol=1e-6))
        self.validate("out.json")
        self.assertEqual(list((self.work / "tmp").iterdir()), [])
        self.assertEqual(list(self.folder.rglob("*.so")), [])

    @unittest.skipUnless(sys.platform == "linux", "changes the header of an ELF library")
    def test_a_package_of_another_platform_is_named(self):
        with zipfile.ZipFile(self.package) as source, zipfile.ZipFile(self.work / "odd.pt2", "w") as odd:
            for entry in source.namelist():
                content = source.read(entry)
                riscv64 = content[:18] + b"\xf3\0" + content[20:]
                odd.writestr(entry, riscv64 if entry.endswith(".so") else content)
        says = ["odd.pt2: this package was built for Linux on riscv64, but this is Linux on "]
        self.expect_refused("run", "-m", "odd.pt2", "-b", "4", *SHAPE, says=says)

    def test_is_bound_to_its_inputs(self):
        for batch, shape, *says in (
            ("8", "7", "expected: 4, but got: 8", "--batch-size"),
            ("4", "3", "expected: 7, but got: 3", "--input-shape"),
            ("4", "7:10", "unmatched dtype", "--input-shape 128:30522"),
            ("4", "7,7", "inputs vector size to be 1, but got 2"),
        ):
            self.expect_failure("net.pt2", *says, options=(*DEVICE, "-b", batch, "--input-shape", shape))

    def test_other_files(self):
        self.write("text.pt2", "no package")
        options = ("-b", "4", *SHAPE)
        self.expect_failure("text.pt2", "text.pt2", "not a ZIP archive", "aoti_compile_and_package", options=options)
        self.write("cut.pt2", self.package.read_bytes()[:-1000])
        self.expect_failure("cut.pt2", "cut.pt2", "archive", options=options)
        self.rewritten("model", "other")
        self.expect_failure("odd.pt2", "odd.pt2", "for model 'model'", options=options)
        self.rewritten('"cpu"', '"cuda"')
        self.expect_failure("odd.pt2", "odd.pt2", "cuda", options=options)

    def test_a_changed_file_is_not_run(self):
        report = self.run_tiny("-b", "4", *SHAPE, model="net.pt2")
        report["cases"][0]["launches"] = []
        self.write("out.json", report)
        (self.work / "net.pt2").unlink()
        self.write("net.pt2", "changed")
        self.expect_refused("run", "--resume", "out.json", says=["net.pt2 has changed"])

    def test_refusals(self):
        self.expect_refused("run", "-m", "net.pt2", says=["net.pt2", "--input-shape 3x224x224"])
        for options, words in {
            ("--mode", "train"): "can only infer; use --mode infer",
            ("--precision", "bf16"): "has its own precision",
            ("--engine", "compiled"): "cannot be compiled; use --engine eager",
            ("--weights", "net.pt2"): "has its own weights",
        }.items():
            with self.subTest(options):
                self.expect_refused("run", "-m", "net.pt2", "--input-shape", "7", *options, says=[options[0], words])
