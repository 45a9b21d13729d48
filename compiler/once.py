"""An operation that makes Inductor write its input to memory.

Otherwise, a product that Inductor writes itself computes its input anew for each of its results.
"""

import torch
from torch import Tensor
from torch._inductor import lowering

_library = torch.library.Library("mpsbench_once", "DEF")
_library.define("computed_once(Tensor x) -> Tensor")


@torch.library.impl(_library, "computed_once", "CompositeExplicitAutograd")
def _clone(x: Tensor) -> Tensor:
    return x.clone()


computed_once = torch.ops.mpsbench_once.computed_once.default


@lowering.register_lowering(computed_once, type_promotion_kind=None)
def _write(x):
    written = lowering.lowerings[torch.ops.aten.clone.default](x)
    written.realize()
    return written
