# Cross-compiles for macOS arm64. scripts/dev/check_macos uses this file and makes the folder of tools. CMake searches
# only the folders that check_macos sets in CMAKE_FIND_ROOT_PATH.
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(tools ${root}/build/macos/bin)
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(CMAKE_OSX_SYSROOT "")
set(CMAKE_C_COMPILER ${tools}/cc)
set(CMAKE_CXX_COMPILER ${tools}/c++)
set(CMAKE_AR ${tools}/ar)
set(CMAKE_RANLIB ${tools}/ranlib)
set(CMAKE_INSTALL_NAME_TOOL ${tools}/install_name_tool) # CMake requires a name, but nothing here uses the program

# zig needs a minute for the first program that it links for each target, and none of CMake's tests needs a program.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind INCLUDE LIBRARY PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()

# The parts of Apple's frameworks that we use, see tests/macos/sdk.
set(CMAKE_CXX_FLAGS_INIT "-F ${root}/tests/macos/sdk/Frameworks")
