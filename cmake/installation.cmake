# Where `cmake --install` puts files. In a Python wheel (scikit-build-core sets SKBUILD), mpsbench is a script of the
# environment, and the programs that need LibTorch are in the Python package, beside the package torch, which has LibTorch.
include(GNUInstallDirs)
if(SKBUILD)
  set(mpsbench_bin_folder ${SKBUILD_SCRIPTS_DIR})
  set(mpsbench_share_folder ${SKBUILD_DATA_DIR}/share)
else()
  set(mpsbench_bin_folder ${CMAKE_INSTALL_BINDIR})
  set(mpsbench_share_folder ${CMAKE_INSTALL_DATAROOTDIR})
endif()

# Installs a program that links LibTorch. Outside a wheel it finds LibTorch where it was at build time. By default CMake
# keeps the paths only of libraries outside the checkout, but the virtual environment is inside it.
function(mpsbench_install_torch_program target)
  if(SKBUILD)
    mpsbench_install_in_package(${target})
  else()
    install(TARGETS ${target} DESTINATION ${CMAKE_INSTALL_BINDIR})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON INSTALL_RPATH "${TORCH_INSTALL_PREFIX}/lib")
  endif()
endfunction()

# Installs a program into mpsbench/bin/BUILD of the wheel, where BUILD is the build of LibTorch: cpu, or cuda13 for CUDA
# 13. There it finds the libraries of the packages beside mpsbench: LibTorch, and those of CUDA.
function(mpsbench_install_in_package target)
  set(origin $ORIGIN)
  if(APPLE)
    set(origin @loader_path)
  endif()
  set(folder cpu)
  set(rpath ${origin}/../../../torch/lib)
  if(TORCH_CUDA_LIBRARIES)
    set(folder cuda${CUDAToolkit_VERSION_MAJOR})
    set(cuda_package cu${CUDAToolkit_VERSION_MAJOR})
    if(CUDAToolkit_VERSION_MAJOR LESS 13)
      set(cuda_package cuda_runtime) # before CUDA 13, each of its libraries was a package of its own
    endif()
    list(APPEND rpath ${origin}/../../../nvidia/${cuda_package}/lib)
  endif()
  install(TARGETS ${target} DESTINATION ${SKBUILD_PLATLIB_DIR}/mpsbench/bin/${folder})
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
endfunction()
