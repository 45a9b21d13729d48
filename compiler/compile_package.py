"""Makes a package of native code for one case: reads a request from stdin (JSON), and writes its package (.pt2).

The keys of the request: network_plan, mode ("train", "infer" or "generate"), device, precision, channels_last,
drops_out, loss, compile_mode, threads, libtorch (the version that will run the package), package (the file to write),
torch_folder (the folder that holds the package torch, or null), front (the number of the process that asks) and perhaps
twin (what differs in another request, whose package is made at the same time).
compile_package.py --check LIBTORCH [TORCH_FOLDER] only says whether this Python can make packages.
If there is none, the exit code is 1 and the last line of stderr says why.
"""

import sys

if sys.version_info < (3, 10):  # noqa: UP036
    sys.exit(f"{sys.executable} is older than Python 3.10; set MPSBENCH_PYTHON to a newer one that has torch")

import contextlib
import errno
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from errors import CannotCompileError
from progress import stage, tell_stages

MODES: dict[str, dict[str, Any]] = {
    "default": {},
    "max-autotune": {"max_autotune": True, "coordinate_descent_tuning": True},
}
# Of precisions that are no autocast.
STORED_TYPES = {"pure-bf16": "bfloat16", "pure-fp16": "float16", "int8": "bfloat16", "int4": "bfloat16"}


def check_python(libtorch: str, torch_folder: str | None, device: str = "") -> None:
    """Imports torch, and says what this Python lacks."""
    stage("importing torch")
    wanted = libtorch.split("+")[0]
    cure = f"install it (pip install torch=={wanted}), or set MPSBENCH_PYTHON to a Python that has it"
    if torch_folder:
        sys.path.append(torch_folder)
    try:
        import torch
    except ImportError as error:
        own = f"python{sys.version_info.major}.{sys.version_info.minor}"
        fitting = Path(torch_folder or "").parent.name  # such as "python3.12"
        if fitting.startswith("python3") and fitting != own:
            cure = f"set MPSBENCH_PYTHON to a {fitting}, for which this torch was built"
        reason = str(error).splitlines()[0].rstrip(":.")
        raise CannotCompileError(f"{sys.executable} ({own}) cannot import torch: {reason}; {cure}") from None
    version = torch.__version__.split("+")[0]
    if version != wanted:
        raise CannotCompileError(f"Python's torch is {version}, but mpsbench-worker runs LibTorch {libtorch}; {cure}")
    from torch._inductor.cpp_builder import get_cpp_compiler
    from torch._inductor.exc import InvalidCxxCompiler
    from torch.utils._triton import has_triton_package

    try:
        get_cpp_compiler()
    except (InvalidCxxCompiler, OSError):  # OSError: CXX names no program
        chosen = os.environ.get("CXX")
        raise CannotCompileError(
            "Inductor finds no C++ compiler: install g++, or name one in the environment variable CXX"
            if chosen is None
            else f"CXX={chosen} is not a C++ compiler; set it to one program, such as g++, or unset it"
        ) from None
    if device.startswith("cuda") and not torch.version.cuda:
        raise CannotCompileError(
            f"the torch of {sys.executable} is a build without CUDA; set MPSBENCH_PYTHON to a Python that has torch "
            f"{wanted} for CUDA"
        )
    if torch.version.cuda and device != "cpu" and not has_triton_package():
        raise CannotCompileError(
            "the package triton is missing, which compiles for CUDA: install it (pip install triton)"
        )


def end_with(front: int) -> None:
    """Ends this process and what it has started when FRONT, its parent, is gone."""
    while os.getppid() == front:
        time.sleep(1)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def offer_to_the_oom_killer(score: int) -> None:
    """If memory runs out, this process should end, not the one that started it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(score), encoding="ascii")


def require_vector_code() -> None:
    """Inductor tries which vector instructions the C++ compiler can use. If that fails, it makes code without any."""
    import torch
    from torch._inductor.cpu_vec_isa import valid_vec_isa_list

    wanted = torch.backends.cpu.get_cpu_capability()
    if wanted in ("AVX2", "AVX512") and not valid_vec_isa_list():
        raise CannotCompileError(
            f"code for {wanted} that the C++ compiler makes does not run here, so the package would be slow; set CXX "
            f"to another compiler{', or unset it' if os.environ.get('CXX') else ''}"
        )


def make_package(request: dict[str, Any]) -> None:
    import torch
    from inference import compile_generation, compile_inference
    from network import Network
    from packaging_files import test_one_instruction_set
    from torch._inductor import config
    from torch._inductor.package.package import package_aoti
    from training import compile_training

    device, precision = request["device"], request["precision"]
    if torch.device(device).index is not None:
        torch.cuda.set_device(device)
    torch.set_num_threads(request["threads"])
    on_cpu = torch.device(device).type == "cpu"
    config.fallback_random = on_cpu  # there, LibTorch draws dropout's numbers more quickly
    config.aot_inductor.precompile_headers = False  # that takes longer than one package gains by it
    test_one_instruction_set()
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.allow_tf32 = precision == "tf32"
    trains = request["mode"] == "train"
    stored = getattr(torch, STORED_TYPES.get(precision, "float32"))
    network = Network(request["network_plan"], trains, trains and request["drops_out"], stored)
    tensors = network.tensors(device, request["channels_last"])
    inputs = network.inputs(device, request["channels_last"])
    dtype = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(precision)
    autocast = torch.autocast(torch.device(device).type, dtype=dtype, enabled=dtype is not None, cache_enabled=False)
    options = dict(MODES[request["compile_mode"]])
    if options.get("max_autotune") and on_cpu and precision == "fp32" and torch.backends.mkldnn.is_available():
        from onednn import FasterProducts

        options["post_grad_custom_post_pass"] = FasterProducts()
    if torch.device(device).type == "cuda":
        from grouping import GroupedKernels

        options["post_grad_custom_post_pass"] = GroupedKernels(writes_products=bool(options.get("max_autotune")))
        options["max_autotune_conv_backends"] = "ATEN"  # with Triton's, compiling resnet50 fails in LibTorch 2.11
    if trains:
        target = network.target(device)
        files = compile_training(network, request["loss"], tensors, inputs, target, autocast, options)
    elif request["mode"] == "generate":
        files = compile_generation(network, tensors, network.cache(device, dtype or stored), *inputs, autocast, options)
    else:
        files = compile_inference(network, tensors, inputs, autocast, options)
    if on_cpu:
        require_vector_code()
    stage("packaging")
    package_aoti(request["package"], files)


@contextlib.contextmanager
def making_twin(request: dict[str, Any]) -> Iterator[None]:
    """Makes the package of another request at the same time. If that fails, there is none."""
    command = [sys.executable, "-I", "-B", __file__]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    with process.stdin as pipe:
        pipe.write(json.dumps(request | {"front": os.getpid()}).encode() + b"\n")
    yield
    if process.wait() != 0:
        Path(request["package"]).unlink(missing_ok=True)


def main() -> None:
    tell_stages(3)
    if sys.argv[1:2] == ["--check"]:
        check_python(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
        return
    request = json.loads(sys.stdin.readline())
    twin = request.pop("twin", None)
    offer_to_the_oom_killer(500 if twin else 1000)  # so the twin ends first
    threading.Thread(target=end_with, args=[request["front"]], daemon=True).start()
    check_python(request["libtorch"], request["torch_folder"], request["device"])
    with making_twin(request | twin) if twin else contextlib.nullcontext():
        make_package(request)


if __name__ == "__main__":
    try:
        main()
    except CannotCompileError as error:
        sys.exit(str(error))
    except Exception as error:
        traceback.print_exc()
        if os.strerror(errno.ENOSPC) in str(error):
            # Python would name another folder than TMPDIR if that one is on the full disk.
            folder = os.environ.get("TMPDIR") or tempfile.gettempdir()
            sys.exit(f"no space left in {folder}; make room, or set XDG_CACHE_HOME to another disk's folder")
        sys.exit(f"{type(error).__name__}: {next(iter(str(error).strip().splitlines()), 'no reason given')}")
