# Builds for macOS arm64 from another system, for scripts/check_macos, which makes the folder of tools. Nothing is
# looked for outside the folders that it gives in CMAKE_FIND_ROOT_PATH.
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(tools ${root}/build/macos/bin)
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(CMAKE_OSX_SYSROOT "")
set(CMAKE_C_COMPILER ${tools}/cc)
set(CMAKE_CXX_COMPILER ${tools}/c++)
set(CMAKE_AR ${tools}/ar)
set(CMAKE_RANLIB ${tools}/ranlib)
set(CMAKE_INSTALL_NAME_TOOL ${tools}/install_name_tool) # CMake wants its name; nothing here needs it

# To link a first program takes zig a minute, a target each; no test of CMake's needs it.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind INCLUDE LIBRARY PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()

# Apple's frameworks and zlib: only what we use of them, see tests/macos/sdk.
set(CMAKE_CXX_FLAGS_INIT "-F ${root}/tests/macos/sdk/Frameworks")
