"""Compiles graphs with AOTInductor."""

import os
import platform
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import torch
from torch import Tensor
from torch._inductor import config, cpu_vec_isa
from torch._inductor.codecache import code_hash
from torch._inductor.compile_fx import compile_fx_inner, get_cpp_wrapper_config
from torch._inductor.cpp_builder import CppBuilder
from torch._inductor.scheduler import SchedulerNode
from torch._inductor.virtualized import V
from torch.fx import GraphModule


def _keep_order_after_mutations() -> None:
    """Corrects the order of code for the CPU where a loop reads what an operation has changed in place.

    To fuse loops, Inductor for the CPU analyses some of them anew. In 2.13 it then forgets that such a loop reads the
    buffer as it is after the operation (pytorch/pytorch#185509), so it can put the loop before the operation. With more
    than one thread, this makes gradients zero in front of a max pooling. Code without such a loop stays as it is.
    """
    analyse = SchedulerNode.recompute_size_and_body

    def analyse_and_rename(node: SchedulerNode, *arguments: Any, **options: Any) -> None:
        analyse(node, *arguments, **options)
        if node.mutation_renames:
            node.set_read_writes(node.read_writes.rename(node.mutation_renames))

    SchedulerNode.recompute_size_and_body = analyse_and_rename


def test_one_instruction_set() -> None:
    """Leaves out of Inductor's test compilations those of vector instructions that it would not choose anyway.

    It tests all sets that the processor has and takes the first that works, unless ATEN_CPU_CAPABILITY chooses another.
    """
    known = cpu_vec_isa.supported_vec_isa_list
    if platform.machine() != "x86_64" or os.environ.get("ATEN_CPU_CAPABILITY"):
        return
    features = cpu_vec_isa.x86_isa_checker()
    first = next((one for one in known if all(name in features for name in str(one).split()) and one), None)
    if first is not None:
        known[:] = [first]


def _compile_wrappers_beside_kernels() -> None:
    """Inductor compiles the code that calls kernels, waits, and then compiles the kernels. Here it does not wait."""
    build = CppBuilder.build
    threads = ThreadPoolExecutor()
    begun: list[Future[None]] = []

    def build_both(builder: CppBuilder) -> None:
        if builder.get_target_file_path().endswith(".wrapper.o"):
            begun.append(threads.submit(build, builder))
            return
        build(builder)
        while begun:
            begun.pop().result()

    CppBuilder.build = build_both


_keep_order_after_mutations()
_compile_wrappers_beside_kernels()


def compile_exported(graph: GraphModule, inputs: tuple[Any, ...], options: dict[str, Any]) -> list[Any]:
    """Returns the files of an exported GRAPH for a package."""
    return torch._inductor.aot_compile(graph, inputs, options=options | {"aot_inductor.package": True})


def compile_part(
    graph: GraphModule, inputs: list[Tensor], kept: range, is_backward: bool, options: dict[str, Any]
) -> list[Any]:
    """Returns the files of one half of a training step, which AOTAutograd has made, for a package.

    As in torch.compile, Inductor chooses the strides of all outputs but those in KEPT.
    """
    graph.graph.output_node().meta["user_visible_output_idxs"] = list(kept)
    packaged = {"cpp_wrapper": True, "aot_inductor.package": True, "aot_inductor.output_path": code_hash(graph.code)}
    with V.set_aot_compilation(True), config.patch(options | packaged), config.patch(get_cpp_wrapper_config()):
        return compile_fx_inner(graph, inputs, cpp_wrapper=True, is_backward=is_backward).filename


def load(package: str, name: str) -> Any:
    """Returns the function NAME of a package file: its method run takes and returns a list of tensors."""
    return torch._C._aoti.AOTIModelPackageLoader(package, name, True, 1, -1)
