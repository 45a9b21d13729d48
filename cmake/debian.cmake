# A Debian package of the program without the worker, because Debian has no LibTorch that is new enough. The preset `deb`
# builds it: cmake --preset deb && cmake --build --preset deb --target package
if(SKBUILD OR MPSBENCH_TORCH OR NOT UNIX OR APPLE)
  return()
endif()
set(MPSBENCH_MAINTAINER "mpsbench contributors <mpsbench@example.org>" CACHE STRING "Who answers for the Debian package")

set(CPACK_GENERATOR DEB)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};mpsbench;Unspecified;/") # without the C++ library
set(CPACK_PACKAGE_CONTACT "${MPSBENCH_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "benchmark of deep-learning training and inference")
set(CPACK_PACKAGE_DESCRIPTION
    "mpsbench measures how fast a machine trains and runs neural networks, on the
CPU and on GPUs. It compares reports, finds regressions and exports tables and
pages.

To measure, it needs its worker, which pip installs beside PyTorch in a Python
environment; the program says how.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3-venv)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_files.cmake)
include(CPack)
