# The least macOS that the programs run on, where the user does not say it (CMAKE_OSX_DEPLOYMENT_TARGET, or
# MACOSX_DEPLOYMENT_TARGET in the environment): the larger of what our own code and what LibTorch's wheels need.
# CMake asks for it where the targets are made, so it may be set once LibTorch's version is known.
set(mpsbench_least_macos 11.0) # what our own code needs: scripts/check_macos compiles it for that one
if(APPLE AND NOT CMAKE_OSX_DEPLOYMENT_TARGET)
  if(MPSBENCH_TORCH AND Torch_VERSION VERSION_GREATER_EQUAL 2.12)
    set(CMAKE_OSX_DEPLOYMENT_TARGET 14.0)
  else()
    set(CMAKE_OSX_DEPLOYMENT_TARGET ${mpsbench_least_macos})
  endif()
  message(STATUS "The programs will need macOS ${CMAKE_OSX_DEPLOYMENT_TARGET}")
endif()
