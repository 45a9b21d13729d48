# Programs look for models, suites, schemas and the compiler of packages in ../share/mpsbench, relative to their own
# folder. The build tree has links to the sources there, an installed tree has copies.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/mpsbench)
foreach(folder models configs compiler)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/share/mpsbench/${folder} SYMBOLIC)
  install(DIRECTORY ${folder} DESTINATION ${mpsbench_share_folder}/mpsbench PATTERN __pycache__ EXCLUDE)
endforeach()
