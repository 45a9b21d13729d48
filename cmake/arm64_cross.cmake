# Cross-compiles for Linux on Arm. scripts/dev/check_arm64 uses this file and makes both folders below. CMake searches
# only these folders.
get_filename_component(parts ${CMAKE_CURRENT_LIST_DIR}/../build/arm64 ABSOLUTE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_SYSROOT ${parts}/sysroot)
set(CMAKE_FIND_ROOT_PATH ${parts}/torch)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind INCLUDE LIBRARY PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()

find_program(MPSBENCH_ARM64_EMULATOR NAMES qemu-aarch64-static qemu-aarch64 REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${MPSBENCH_ARM64_EMULATOR} -L ${CMAKE_SYSROOT})
