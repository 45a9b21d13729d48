# Sets the oldest macOS that the programs run on, unless the user has set it (CMAKE_OSX_DEPLOYMENT_TARGET, or the
# environment variable MACOSX_DEPLOYMENT_TARGET). It is the newer of what our own code and what LibTorch's wheels need.
# CMake reads it when targets are made, so it can be set here, after LibTorch's version is known.
set(mpsbench_least_macos 11.0) # what our own code needs; scripts/dev/check_macos compiles for this version
if(APPLE AND NOT CMAKE_OSX_DEPLOYMENT_TARGET)
  if(MPSBENCH_TORCH AND Torch_VERSION VERSION_GREATER_EQUAL 2.12)
    set(CMAKE_OSX_DEPLOYMENT_TARGET 14.0)
  else()
    set(CMAKE_OSX_DEPLOYMENT_TARGET ${mpsbench_least_macos})
  endif()
  message(STATUS "The programs will need macOS ${CMAKE_OSX_DEPLOYMENT_TARGET}")
endif()
