"""Tests which LibTorch scripts/mpsbench uses."""

import shutil

from sandbox import CPU_INDEX, FAKES, SetupTest


class Finding(SetupTest):
    def test_torch_dir_comes_first(self):
        first, second, third = (self.make_torch(name) for name in ("one", "two", "three"))
        self.use_active_torch(third)
        self.run_well("list", Torch_DIR=str(first), CMAKE_PREFIX_PATH=str(second.parent))
        self.assertEqual(self.torch_in_use(), first)
        self.assertEqual(self.calls("pip"), [])

    def test_prefix_path_comes_before_the_active_python(self):
        self.use_active_torch(self.make_torch("active"))
        wheel, archive = self.make_torch("wheel"), self.make_torch("libtorch")
        for entry, expected in ((wheel.parent, wheel), (archive.parents[2], archive), (archive, archive)):
            self.run_well("list", CMAKE_PREFIX_PATH=f"{self.root}:{entry}")
            self.assertEqual(self.torch_in_use(), expected)

    def test_active_python_comes_before_an_environment(self):
        """A prefix path without LibTorch is no matter."""
        config = self.make_torch("active", "2.9.0a0+git123")
        self.use_active_torch(config)
        self.run_well("run", "quick", CMAKE_PREFIX_PATH=str(self.root))
        self.assertEqual(self.calls("pip"), [])
        self.assertEqual(self.torch_in_use(), config)
        self.assertNotIn("skipping", self.err)

    def test_too_old_is_skipped_with_one_line(self):
        old, good = self.make_torch("old", "2.8.1"), self.make_torch("good")
        self.use_active_torch(good)
        self.run_well("list", Torch_DIR=str(old))
        self.assertEqual(self.torch_in_use(), good)
        skips = [line for line in self.err.splitlines() if "skipping" in line]
        self.assertEqual(len(skips), 1, self.err)
        self.assertIn("2.8.1", skips[0])
        self.assertIn("2.9", skips[0])

    def test_older_minor_number_is_not_read_as_a_fraction(self):
        self.use_active_torch(self.make_torch("two_ten", "2.10.0"))
        self.run_well("list")
        self.assertEqual(self.calls("pip"), [])

    def test_without_version_or_config_is_skipped(self):
        self.run_well("list", Torch_DIR=str(self.make_torch("unknown", version=None)))
        self.assertIn("unknown version", self.err)
        self.run_well("list", Torch_DIR=str(self.root))
        self.assertIn("no TorchConfig.cmake", self.err)
        self.assertIn(".venv", str(self.torch_in_use()))

    def test_cuda_build_needs_the_toolkit(self):
        config = self.make_torch("cuda", cuda=True)
        self.use_active_torch(config)
        self.run_well("list")
        self.assertIn("CUDA build", self.err)
        self.assertIn(".venv", str(self.torch_in_use()))
        self.install_cuda_toolkit()
        self.run_well("list")
        self.assertEqual(self.torch_in_use(), config)


class Installing(SetupTest):
    def test_configured_index_has_the_cpu_build(self):
        self.install("nvidia-smi")  # even if there is a driver
        self.run_well("list")
        self.assertEqual(self.calls("pip"), ["pip configured torch==2.13.0+cpu"])
        self.assertEqual(self.torch_in_use(), self.root / ".venv/lib/torch/share/cmake/Torch")

    def test_without_driver_pytorchs_cpu_index(self):
        self.write("index", f"{CPU_INDEX} torch==2.13.0+cpu")
        self.run_well("list")
        self.assertEqual(self.calls("pip")[1:], [f"pip {CPU_INDEX} torch==2.13.0+cpu"])

    def test_index_can_be_named(self):
        self.write("index", "https://mirror.example/cpu torch==2.13.0+cpu")
        self.run_well("list", MPSBENCH_TORCH_INDEX="https://mirror.example/cpu")
        self.assertNotIn(CPU_INDEX, "".join(self.calls("pip")))

    def test_driver_and_toolkit_take_the_cuda_build(self):
        self.install("nvidia-smi")
        self.install_cuda_toolkit()
        self.write("index", "configured torch==2.13.0")
        self.run_well("list")
        self.assertEqual(self.calls("pip")[-1], "pip configured torch==2.13.0")

    def test_driver_that_does_not_answer_is_none(self):
        self.install("nvidia-smi")
        (self.bin / "nvidia-smi").write_text("#!/usr/bin/env bash\nexit 9\n")
        self.write("index", f"{CPU_INDEX} torch==2.13.0+cpu")
        self.run_well("list")

    def test_driver_without_toolkit_is_one_line(self):
        self.install("nvidia-smi")
        self.write("index", f"{CPU_INDEX} torch==2.13.0+cpu")
        self.run_badly()
        self.assertIn("CUDA toolkit", self.err.splitlines()[-1])
        self.assertNotIn(CPU_INDEX, "".join(self.calls("pip")))

    def test_macos_takes_the_plain_version(self):
        self.be_a_mac()
        self.install("brew")
        self.write("index", "configured torch==2.13.0")
        self.run_well("list")
        self.assertEqual(self.calls("pip"), ["pip configured torch==2.13.0"])

    def test_no_torch_anywhere_says_why(self):
        self.write("index", "nothing")
        self.run_badly()
        self.assertIn("No matching distribution", self.err)


class Environment(SetupTest):
    def test_is_made_once(self):
        self.run_well("list")
        self.write("missing", "spdlog")
        self.run_well("list", CXX="c++")  # another environment, so the tree must be configured again
        self.assertEqual(len(self.calls("python3 -m venv")), 1)
        self.assertEqual(len(self.calls("pip")), 1)

    def test_interrupted_is_made_anew(self):
        self.write("pip-hangs")
        self.assertEqual(self.interrupt(self.start("list"), "pip-started"), 130)
        self.forget("pip-hangs")
        self.run_well("list")
        self.assertIn("--clear", self.calls("python3 -m venv")[-1])
        self.assertEqual(len(self.calls("pip")), 2)

    def test_of_somebody_else_is_not_cleared(self):
        (self.root / ".venv").mkdir()
        (self.root / ".venv" / "mine").touch()
        self.run_well("list")
        self.assertTrue((self.root / ".venv" / "mine").exists())

    def test_whose_python_went_away_is_made_again(self):
        self.run_well("list")
        (self.root / ".venv" / "bin" / "python").unlink()
        self.run_well("list", CXX="c++")
        self.assertEqual(len(self.calls("python3 -m venv")), 2)

    def test_half_made_and_active_does_not_count(self):
        package = self.root / ".venv" / "lib" / "torch"
        shutil.copytree(self.make_torch("planted").parents[2], package)
        (self.root / "build").mkdir()
        (self.root / "build" / "venv-part").touch()
        self.write("active-torch", str(package))
        self.run_well("list")
        self.assertEqual(len(self.calls("pip")), 1)

    def test_fakes_are_complete(self):
        """Checks the sandbox itself: the fake Python is the only one, so that this machine's Python is never used."""
        self.remove("python3")
        self.assertTrue((FAKES / "python3").exists())
        self.run_well("list")
        self.assertIn("python3", self.calls("apt-get")[0].split())
