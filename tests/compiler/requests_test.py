"""What the compiler says of requests that it cannot fulfil, and of Python."""

import json
import os
import runpy
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import support
import wanted

wanted.packages("torch")

import torch  # noqa: E402

REQUEST = support.request(
    [2, 3],
    [support.node("last", "guess", 0)],
    [2, 3],
    libtorch=torch.__version__,
    package="unwritten.pt2",
    torch_folder=None,
    front=os.getpid(),
)


PROGRAM = str(support.COMPILER / "compile_package.py")


def last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1]


def compile_package(*words: str, stdin: Any = None, **environment: str) -> tuple[int, str]:
    """Returns the exit code and the last line of stderr. Runs in a fork, which has imported torch already."""
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as said:
        given.write(json.dumps(stdin))
        given.seek(0)
        process = os.fork()
        if process == 0:
            os.dup2(given.fileno(), 0)
            os.dup2(said.fileno(), 2)
            os.environ.update(environment)
            sys.argv[:] = [PROGRAM, *words]
            code = 0
            try:
                runpy.run_path(PROGRAM, run_name="__main__")
            except SystemExit as end:  # as Python itself ends with a text
                if isinstance(end.code, str):
                    print(end.code, file=sys.stderr)
                code = int(bool(end.code))
            finally:
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        said.seek(0)
        return code, last_line(said.read())


class Requests(unittest.TestCase):
    def test_this_python_can_make_packages(self) -> None:
        command = [sys.executable, "-I", PROGRAM, "--check", torch.__version__.split("+")[0]]
        ran = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((ran.returncode, last_line(ran.stderr)), (0, ""))

    def test_another_torch_is_refused(self) -> None:
        version = torch.__version__.split("+")[0]
        said = (
            f"Python's torch is {version}, but mpsbench-worker runs LibTorch 1.2.3; "
            "install it (pip install torch==1.2.3), or set MPSBENCH_PYTHON to a Python that has it"
        )
        self.assertEqual(compile_package("--check", "1.2.3"), (1, said))
        self.assertEqual(compile_package(stdin=REQUEST | {"libtorch": "1.2.3"}), (1, said))

    def test_a_missing_cpp_compiler_is_named(self) -> None:
        for path in ("/no/such/compiler", "", "/"):
            code, said = compile_package("--check", torch.__version__, CXX=path)
            self.assertEqual(code, 1, path)
            self.assertIn(f"CXX={path} is not a C++ compiler; set it to one program, such as g++", said)

    @unittest.skipIf(torch.version.cuda, "this torch is for CUDA")
    def test_a_torch_without_cuda_is_named(self) -> None:
        code, said = compile_package(stdin=REQUEST | {"device": "cuda:1"})
        self.assertEqual(code, 1)
        self.assertIn(" is a build without CUDA; set MPSBENCH_PYTHON to a Python that has torch ", said)

    def test_it_ends_if_the_front_has_gone_already(self) -> None:
        self.assertEqual(compile_package(stdin=REQUEST | {"front": 0}), (1, ""))

    def test_code_without_vector_instructions_is_refused(self) -> None:
        if torch.backends.cpu.get_cpu_capability() not in ("AVX2", "AVX512"):
            self.skipTest("this processor has none that Inductor must find")
        plan = REQUEST["network_plan"] | {"nodes": [support.node("last", "relu", 0)]}
        with tempfile.TemporaryDirectory() as folder:
            header, compiler = Path(folder) / "crash.hpp", Path(folder) / "crashing"
            crash = "#include <csignal>\n__attribute__((constructor)) static void crash() { raise(SIGSEGV); }\n"
            header.write_text(f"#ifndef __ASSEMBLER__\n{crash}#endif\n", encoding="utf-8")
            compiler.write_text(f'#!/bin/sh\nexec g++ "$@" -include {header}\n', encoding="utf-8")
            compiler.chmod(0o700)
            request = REQUEST | {"network_plan": plan, "package": f"{folder}/package.pt2"}
            variables = {"CXX": str(compiler), "TMPDIR": folder, "TORCHINDUCTOR_CACHE_DIR": f"{folder}/inductor"}
            code, said = compile_package(stdin=request, **variables)
            self.assertEqual(code, 1)
            self.assertRegex(said, r"^code for AVX\w+ that the C\+\+ compiler makes does not run here.*, or unset it$")
            self.assertFalse(Path(request["package"]).exists())

    def test_a_twin_is_made_at_the_same_time_if_it_can_be(self) -> None:
        def plan(last: str) -> dict[str, Any]:
            return REQUEST["network_plan"] | {"nodes": [support.node("last", last, 0)]}

        for last, made in (("relu", True), ("guess", False)):
            with tempfile.TemporaryDirectory() as folder:
                package, other = Path(folder) / "package.pt2", Path(folder) / "other.pt2"
                twin = {"network_plan": plan(last), "package": str(other)}
                request = REQUEST | {"network_plan": plan("relu"), "package": str(package), "twin": twin}
                self.assertEqual(compile_package(stdin=request, TMPDIR=folder)[0], 0)
                self.assertTrue(package.exists())
                self.assertEqual(other.exists(), made, last)

    def test_an_unknown_layer_type_is_named(self) -> None:
        said = "layer 'last': the compiler does not know the type 'guess'"
        self.assertEqual(compile_package(stdin=REQUEST), (1, said))

    def test_an_unknown_loss_is_named(self) -> None:
        plan = REQUEST["network_plan"] | {"nodes": [], "output": 0}
        request = REQUEST | {"network_plan": plan, "mode": "train", "loss": "guess"}
        self.assertEqual(compile_package(stdin=request), (1, "the compiler does not know the loss 'guess'"))
