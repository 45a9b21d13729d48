"""The C library's heap, as mpsbench's worker has it (src/device/heap.cpp), for programs that are held against it."""

from collections.abc import Mapping

# Of glibc: freed memory is kept, so that no step fetches it anew.
KEEP_FREED_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(2**63 - 1)}


def settings(environment: Mapping[str, str]) -> dict[str, str]:
    """KEEP_FREED_MEMORY, unless the user has settings: these are mpsbench's, too."""
    chosen = any(name in environment for name in (*KEEP_FREED_MEMORY, "GLIBC_TUNABLES"))
    return {} if chosen else KEEP_FREED_MEMORY
