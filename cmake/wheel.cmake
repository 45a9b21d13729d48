# What a Python wheel needs beside the programs and data files.
if(NOT SKBUILD)
  return()
endif()
# The wheel requires the torch that the building Python has: python/build/torch_requirement.py.
execute_process(
  COMMAND ${Python_EXECUTABLE} -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
  OUTPUT_VARIABLE required_torch OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(REAL_PATH "${required_torch}" required_torch)
file(REAL_PATH "${TORCH_INSTALL_PREFIX}" linked_torch)
if(NOT required_torch STREQUAL linked_torch)
  message(FATAL_ERROR "the wheel would require the torch of ${Python_EXECUTABLE}, ${required_torch}, but link that of "
                      "${linked_torch}; unset Torch_DIR and CMAKE_PREFIX_PATH, or use the other torch's Python")
endif()

string(REGEX MATCH "^[0-9]+\\.[0-9]+" torch_version "${Torch_VERSION}")
file(WRITE ${PROJECT_BINARY_DIR}/torch_version "${torch_version}\n")
install(FILES ${PROJECT_BINARY_DIR}/torch_version DESTINATION ${SKBUILD_PLATLIB_DIR}/mpsbench)
file(WRITE ${PROJECT_BINARY_DIR}/version "${PROJECT_VERSION}\n")
install(FILES ${PROJECT_BINARY_DIR}/version DESTINATION ${SKBUILD_PLATLIB_DIR}/mpsbench)
