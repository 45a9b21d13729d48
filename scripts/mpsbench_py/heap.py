"""The heap settings of mpsbench's worker (src/device/cpu.cpp), for programs that are compared with it."""

from collections.abc import Mapping

# Settings of glibc: the process keeps freed memory, so that it need not ask the system for it again in each step.
KEEP_FREED_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(2**63 - 1)}


def settings(environment: Mapping[str, str]) -> dict[str, str]:
    """KEEP_FREED_MEMORY, or nothing if the user has set any of these variables: then mpsbench uses the user's, too."""
    chosen = any(name in environment for name in (*KEEP_FREED_MEMORY, "GLIBC_TUNABLES"))
    return {} if chosen else KEEP_FREED_MEMORY
