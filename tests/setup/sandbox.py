"""Runs a copy of the set-up scripts in a temporary folder, with a PATH of fake programs.

All fakes write their calls to one file. Files in the state folder tell them how to behave (see fakes/).
"""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from folders import FolderTest

SOURCE = Path(__file__).resolve().parents[2]
FAKES = Path(__file__).resolve().parent / "fakes"
# The real tools that the scripts may use. macOS has all of them except flock.
TOOLS = (
    "bash cat chmod cksum cp dirname env flock grep head ls mkdir mv nproc printf readlink rm sed sleep tail touch tr"
)
COMMON = ("id", "c++", "cmake", "ninja", "python3", "apt-get")
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


class SetupTest(FolderTest):
    """By default: the user is root on Linux, all packages but torch are installed, the index has torch's CPU build."""

    def setUp(self):
        super().setUp()
        self.root, self.state, self.bin, self.tools = (self.folder / name for name in ("repo", "state", "bin", "tools"))
        for path in (self.root, self.state, self.bin, self.tools):
            path.mkdir()
        shutil.copytree(SOURCE / "scripts", self.root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        for tool in TOOLS.split():
            found = shutil.which(tool)
            if found:
                (self.tools / tool).symlink_to(found)
        self.install(*COMMON)
        self.write("index", "configured torch==2.13.0+cpu")
        self.environment = {
            "PATH": f"{self.bin}:{self.tools}",
            "HOME": str(self.folder),
            "FAKE_STATE": str(self.state),
            "FAKE_BIN": str(self.bin),
            "FAKE_SOURCES": str(FAKES),
            "CUDA_HOME": str(self.folder / "no-cuda"),
        }

    def install(self, *programs):
        for program in programs:
            shutil.copy(FAKES / program, self.bin)

    def remove(self, *programs):
        for program in programs:
            (self.bin / program).unlink()

    def write(self, name, text=""):
        (self.state / name).write_text(text + "\n" if text else "")

    def forget(self, name):
        (self.state / name).unlink()

    def make_torch(self, name, version="2.11.0", cuda=False):
        """Makes a torch package with the layout of a wheel. Returns the folder of its TorchConfig.cmake."""
        package = self.folder / name
        config = package / "share" / "cmake" / "Torch"
        config.mkdir(parents=True)
        (config / "TorchConfig.cmake").touch()
        if version:
            (config / "TorchConfigVersion.cmake").write_text(f'set(PACKAGE_VERSION "{version}")\n')
        (package / "lib").mkdir()
        if cuda:
            (package / "lib" / "libtorch_cuda.so").touch()
        return config

    def use_active_torch(self, config):
        self.write("active-torch", str(config.parents[2]))

    def be_a_mac(self):
        self.environment["OSTYPE"] = "darwin24"
        self.install("xcode-select", "sysctl")

    def install_cuda_toolkit(self):
        folder = self.folder / "cuda" / "bin"
        folder.mkdir(parents=True)
        shutil.copy(FAKES / "nvcc", folder)
        self.environment["CUDA_HOME"] = str(folder.parent)

    def start(self, *arguments, script="mpsbench", **environment):
        return subprocess.Popen(
            [str(self.root / "scripts" / script), *arguments],
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run_it(self, *arguments, **environment):
        """Runs scripts/mpsbench to its end. Sets status, out and err."""
        process = self.start(*arguments, **environment)
        self.out, self.err = process.communicate(timeout=60)
        self.status = process.returncode

    def run_well(self, *arguments, **environment):
        """Runs scripts/mpsbench and expects it to start the program, which exits with 7."""
        self.run_it(*arguments, **environment)
        self.assertEqual((self.status, self.out), (7, f"program: {' '.join(arguments)}\n"), self.err)

    def run_badly(self, **environment):
        self.run_it("list", **environment)
        self.assertEqual((self.status, self.out), (2, ""), self.err)

    def calls(self, program=""):
        file = self.state / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        return [line for line in lines if line.startswith(program)]

    def torch_in_use(self):
        """The LibTorch that the last configuration with CMake got."""
        options = self.calls("cmake")[-1].split()
        return Path(next(option for option in options if option.startswith("-DTorch_DIR:PATH=")).split("=")[1])

    def interrupt(self, process, marker):
        """Presses Ctrl-C as soon as the fakes have written MARKER. Returns the exit status."""
        deadline = time.monotonic() + 30
        while not (self.state / marker).exists():
            self.assertLess(time.monotonic(), deadline, "it never came to " + marker)
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=30)
        return process.returncode
