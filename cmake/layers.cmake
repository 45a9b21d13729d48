# One static library a folder of src/. LINKS names lower layers and packages only; tests/layers_check.py holds
# the includes against these links.
#
#   mpsbench_layer(stats SOURCES quantile.cpp ... LINKS mpsbench::base Boost::headers)
function(mpsbench_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;LINKS" ${ARGN})
  add_library(mpsbench_${name} STATIC ${LAYER_SOURCES})
  add_library(mpsbench::${name} ALIAS mpsbench_${name})
  target_include_directories(mpsbench_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(
    mpsbench_${name}
    PUBLIC ${LAYER_LINKS}
    PRIVATE mpsbench_options)
endfunction()

# One test program a folder: tests/NAME/*_test.cpp, linked with the layer of the same name.
#
#   mpsbench_tests(stats SOURCES quantile_test.cpp ... LINKS mpsbench::stats)
function(mpsbench_tests name)
  cmake_parse_arguments(TESTS "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name}_tests ${TESTS_SOURCES})
  target_link_libraries(${name}_tests PRIVATE ${TESTS_LINKS} mpsbench_options GTest::gtest GTest::gtest_main)
  target_include_directories(${name}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  # A third less time for the compiler; what is tested is compiled as users get it.
  target_compile_options(${name}_tests PRIVATE $<$<CONFIG:Release>:-O1>)
  target_compile_definitions(${name}_tests PRIVATE MPSBENCH_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  include(GoogleTest)
  gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60)
endfunction()
