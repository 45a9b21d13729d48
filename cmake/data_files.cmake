# Programs look for models, suites and schemas in ../share/mpsbench beside their own folder, in the build tree
# (links to the sources) and in an installed tree (copies) alike.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/mpsbench)
foreach(folder models configs)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/share/mpsbench/${folder} SYMBOLIC)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/mpsbench)
endforeach()
