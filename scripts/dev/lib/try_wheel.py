"""Installs a wheel of mpsbench in new environments and uses it there as a user would.

    try_wheel.py WHEEL [-k TEST]

The environments use the packages of the Python that runs this script, so that torch is not installed again for each of
them. This Python needs torch, numpy and the packages of scripts/requirements-wheel.txt.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from importlib.metadata import distribution
from pathlib import Path

WHEEL = Path(sys.argv[1]).resolve()
MERGE = Path(__file__).resolve().parents[1] / "merge_wheels.py"
PACKAGES = Path(str(distribution("torch").locate_file(""))).resolve()
TORCH = distribution("torch").version.partition("+")[0]  # 2.13.0 of 2.13.0+cpu
MINOR = TORCH.rpartition(".")[0]
MOST_BYTES = 20_000_000
RUN = ("run", "-m", "mlp", "--mode", "infer", "-b", "4", "-r", "1", "--max-time", "1s")


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, **options)


def link_libraries(packages: Path) -> None:
    """Links torch and the libraries of CUDA into a folder of packages, where pip would install them."""
    for name in ("torch", "nvidia"):
        if (PACKAGES / name).is_dir() and not (packages / name).exists():
            (packages / name).symlink_to(PACKAGES / name)


class Environment:
    """A Python environment in FOLDER, at first empty."""

    def __init__(self, folder: Path, *options: str):
        self.folder = folder
        run(sys.executable, "-m", "venv", *options, folder)
        (self.packages,) = folder.glob("lib/python3*/site-packages")

    def pip(self, *arguments, **variables: str):
        without_tools = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        run(self.folder / "bin/python", "-m", "pip", "--quiet", *arguments, env=without_tools | variables)

    def files(self) -> set[Path]:
        return {path for path in self.folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}

    def find_others(self) -> None:
        """Lets this environment find the packages of the Python that runs this script."""
        (self.packages / "others.pth").write_text(f"{PACKAGES}\n", encoding="utf-8")
        self.pip("uninstall", "-y", "setuptools")  # that of a new environment may be older than torch requires

    def write_torch(self, torch_version: str, cuda: str | None) -> None:
        """Writes what the program reads of a torch, with the libraries of the real one."""
        torch = self.packages / "torch"
        torch.mkdir(exist_ok=True)
        text = f"\n__version__ = '{torch_version}'\ncuda: Optional[str] = {cuda!r}\n"
        (torch / "version.py").write_text(text, encoding="utf-8")
        if not (torch / "lib").exists():
            (torch / "lib").symlink_to(PACKAGES / "torch/lib")
        link_libraries(self.packages)


class TheWheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name).resolve()
        cls.env = Environment(cls.folder / "env")
        cls.env.find_others()
        cls.env.pip("install", "--no-index", WHEEL)  # fails if torch and numpy there are not what the wheel requires

    def without_torch(self, *options: str, wheel: Path = WHEEL) -> Environment:
        """Returns a new environment that has the wheel, but not the packages that it requires."""
        env = Environment(Path(tempfile.mkdtemp(dir=self.folder)), *options)
        env.pip("install", "--no-deps", wheel)
        return env

    def call(self, *arguments, program=None, code=0):
        """Runs the program without its environment being active."""
        words = [str(program or self.env.folder / "bin/mpsbench"), *arguments]
        bare = {"HOME": str(self.folder), "PATH": "/usr/bin:/bin"}
        done = subprocess.run(words, cwd=self.folder, env=bare, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def check_run(self, program: Path, *options: str):
        report = self.folder / "r.json"
        self.call(*RUN, *options, "--export-json", str(report), program=program)
        self.call("validate", str(report), program=program)
        found = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual([case["status"] for case in found["cases"]], ["ok"])
        self.assertGreater(found["cases"][0]["metrics"]["step_seconds"]["median"], 0)

    def check_refused(self, env: Environment, *words: str):
        message = self.call(*RUN, program=env.folder / "bin/mpsbench", code=2)
        self.assertEqual(message.count("\n"), 1, message)
        for word in words:
            self.assertIn(word, message)

    def test_is_small(self):
        self.assertLess(WHEEL.stat().st_size, MOST_BYTES)

    def test_program_is_no_script(self):
        self.assertNotEqual((self.env.folder / "bin/mpsbench").read_bytes()[:2], b"#!")

    def test_torch_is_elsewhere(self):
        self.check_run(self.env.folder / "bin/mpsbench")

    def test_networks_are_compiled(self):
        self.check_run(self.env.folder / "bin/mpsbench", "--engine", "compiled")

    def test_torch_is_beside(self):
        env = self.without_torch()
        link_libraries(env.packages)
        self.check_run(env.folder / "bin/mpsbench")

    def test_doctor_names_the_programs_and_torch(self):
        (line,) = (line for line in self.call("doctor").splitlines() if line.split()[1] == "package")
        self.assertIn(f"{self.env.packages}/mpsbench/bin/", line)
        self.assertIn(f", with PyTorch {TORCH}", line)

    def test_suites_and_models_are_found(self):
        self.call("run", "quick", "--dry-run")
        self.assertIn("vgg16", self.call("list", "models"))

    def test_through_a_link(self):
        link = self.folder / "linked"  # as pipx makes one
        link.symlink_to(self.env.folder / "bin/mpsbench")
        self.assertIn("cpu", self.call("list", "devices", program=link))

    def test_single_operations(self):
        self.call("ops", "--benchmark_filter=linear/cpu/fp32/4x", "--benchmark_min_time=0.01s")

    def test_python_package(self):
        code = f"import mpsbench; r = mpsbench.run(*{RUN[1:]})\n"
        code += "assert r[0]['step_seconds'] > 0 and len(r[0]['samples_seconds'][0]) > 0"
        self.call("-I", "-c", code, program=self.env.folder / "bin/python")

    def test_for_one_user(self):
        base = self.folder / "user"
        env = Environment(self.folder / "shared", "--system-site-packages")
        env.pip("install", "--user", "--no-deps", "--no-warn-script-location", WHEEL, PYTHONUSERBASE=str(base))
        (packages,) = base.glob("lib/python*/site-packages")
        link_libraries(packages)
        self.check_run(base / "bin/mpsbench")

    def test_torch_is_missing(self):
        self.check_refused(self.without_torch(), f"pip install 'torch=={MINOR}.*'")

    def test_torch_is_another(self):
        env = self.without_torch()
        env.write_torch("2.1.0", None)
        self.check_refused(env, f"was built for PyTorch {MINOR}, but ", f"pip install 'torch=={MINOR}.*'")

    def merged_wheel(self) -> Path:
        """Returns a wheel for two builds of torch. If WHEEL is for only one, makes the second from it, because a wheel
        for CUDA cannot be built on every machine."""
        parts = self.folder / "parts"
        parts.mkdir()
        run(sys.executable, "-m", "wheel", "unpack", "--dest", parts, WHEEL, stdout=subprocess.DEVNULL)
        (part,) = parts.iterdir()
        builds = list((part / "mpsbench/bin").iterdir())
        if len(builds) > 1:
            return WHEEL
        builds[0].rename(builds[0].with_name("cuda13" if builds[0].name == "cpu" else "cpu"))
        run(sys.executable, "-m", "wheel", "pack", "--dest-dir", parts, part, stdout=subprocess.DEVNULL)
        merged = self.folder / "merged"
        run(sys.executable, MERGE, WHEEL, parts / WHEEL.name, "--output-dir", merged, stdout=subprocess.DEVNULL)
        return merged / WHEEL.name

    def test_programs_are_those_for_the_installed_torch(self):
        env = self.without_torch(wheel=self.merged_wheel())
        for cuda, build in (("13.0", "cuda13"), (None, "cpu")):
            env.write_torch(TORCH, cuda)
            self.assertIn(f"/mpsbench/bin/{build}, with ", self.call("doctor", program=env.folder / "bin/mpsbench"))
            self.check_run(env.folder / "bin/mpsbench")

    def test_uninstall_leaves_nothing(self):
        env = Environment(self.folder / "uninstalled")
        before = env.files()
        env.pip("install", "--no-deps", WHEEL)
        self.assertGreater(env.files(), before)
        env.pip("uninstall", "-y", "mpsbench")
        self.assertEqual(env.files(), before)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
