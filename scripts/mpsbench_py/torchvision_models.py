"""Makes torchvision's networks usable with any build of torch.

torchvision's wheels are built for one version of torch and often need CUDA's libraries, but the networks themselves are
plain Python. If torchvision's operators cannot be loaded, we only declare their names, so that the package can be
imported. Nothing here calls them.
"""

import importlib.util
from pathlib import Path
from types import ModuleType

import torch

_OPERATORS = (
    "nms",
    "qnms",
    "roi_align",
    "_roi_align_backward",
    "qroi_align",
    "roi_pool",
    "_roi_pool_backward",
    "ps_roi_align",
    "_ps_roi_align_backward",
    "ps_roi_pool",
    "_ps_roi_pool_backward",
    "deform_conv2d",
    "_deform_conv2d_backward",
)

_declared: list[torch.library.Library] = []  # keeps these objects alive, because the declarations end with them


def _operators_load(folder: Path) -> bool:
    for library in [*folder.glob("_C*.so"), *folder.glob("_C*.dylib")]:
        try:
            torch.ops.load_library(str(library))
            return True
        except OSError:
            continue
    return False


def make_importable() -> None:
    """Call this before anything imports torchvision. transformers imports it if it is installed."""
    spec = importlib.util.find_spec("torchvision")
    if spec is None or not spec.submodule_search_locations or _declared:
        return
    if not _operators_load(Path(spec.submodule_search_locations[0])):
        library = torch.library.Library("torchvision", "DEF")
        for name in _OPERATORS:
            library.define(f"{name}(Tensor input) -> Tensor")
        _declared.append(library)


def load() -> ModuleType:
    """The module torchvision.models. Raises ImportError if torchvision is not installed."""
    make_importable()
    import torchvision.models

    return torchvision.models
