# If MPSBENCH_UNITY is on, compiles COUNT sources of TARGET as one; all of them if COUNT is 0. Headers are then read only
# once, and reading them takes most of a first build. Names in the sources' anonymous namespaces must differ within a
# target.
function(mpsbench_unity target count)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MPSBENCH_UNITY} UNITY_BUILD_BATCH_SIZE ${count})
  if(MPSBENCH_UNITY)
    # GCC warns about anonymous namespaces in included files, and here one file includes all sources.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# Makes one static library of all sources in a folder of src/, except those in WITHOUT, which are for another platform
# or a missing package. A folder inside another one may be a layer, too; its name has both folders (report_metrics for
# src/report/metrics). A folder without sources becomes a target that only links LINKS. LINKS names only lower layers
# and packages; tests/layers_check.py checks that includes match these links.
#
#   mpsbench_layer(sensor WITHOUT machine_macos.cpp LINKS mpsbench::schema)
function(mpsbench_layer name)
  cmake_parse_arguments(LAYER "" "" "WITHOUT;LINKS" ${ARGN})
  file(
    GLOB sources
    CONFIGURE_DEPENDS
    RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
    *.cpp)
  if(NOT sources)
    add_library(mpsbench_${name} INTERFACE)
    add_library(mpsbench::${name} ALIAS mpsbench_${name})
    target_link_libraries(mpsbench_${name} INTERFACE ${LAYER_LINKS})
    return()
  endif()
  list(REMOVE_ITEM sources ${LAYER_WITHOUT})
  add_library(mpsbench_${name} STATIC ${sources})
  mpsbench_unity(mpsbench_${name} 0)
  add_library(mpsbench::${name} ALIAS mpsbench_${name})
  target_include_directories(mpsbench_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(
    mpsbench_${name}
    PUBLIC ${LAYER_LINKS}
    PRIVATE mpsbench_options)
  mpsbench_headers(${name} ${PROJECT_SOURCE_DIR}/src LINKS ${LAYER_LINKS})
endfunction()

# A header with a source of the same name is the first include of that source (tests/headers_check.py), so compiling the
# sources one by one shows that it compiles on its own. For the others in this folder, this makes sources of one line, if
# MPSBENCH_HEADERS is on: clang-tidy reads them when the header changed. BASE is the folder that includes are relative to.
#
#   mpsbench_headers(stats ${PROJECT_SOURCE_DIR}/src LINKS Boost::headers)
function(mpsbench_headers name base)
  cmake_parse_arguments(HEADERS "" "" "LINKS" ${ARGN})
  if(NOT MPSBENCH_HEADERS)
    return()
  endif()
  file(GLOB headers CONFIGURE_DEPENDS *.hpp)
  set(sources)
  foreach(header ${headers})
    get_filename_component(stem ${header} NAME_WE)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${stem}.cpp)
      file(RELATIVE_PATH header ${base} ${header})
      set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${stem}.cpp)
      file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n")
      list(APPEND sources ${source})
    endif()
  endforeach()
  if(sources)
    add_library(${name}_headers OBJECT ${sources})
    target_include_directories(${name}_headers PRIVATE ${base})
    target_link_libraries(${name}_headers PRIVATE ${HEADERS_LINKS} mpsbench_options)
  endif()
endfunction()

# The settings for all sources and headers of tests/.
add_library(mpsbench_for_tests INTERFACE)
target_include_directories(mpsbench_for_tests INTERFACE ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(mpsbench_for_tests INTERFACE MPSBENCH_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# Makes a program that tests start, from sources in tests/.
#
#   mpsbench_test_program(stats_figures figures.cpp LINKS mpsbench::stats)
function(mpsbench_test_program name)
  cmake_parse_arguments(PROGRAM "" "" "LINKS" ${ARGN})
  add_executable(${name} ${PROGRAM_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE mpsbench_for_tests ${PROGRAM_LINKS})
  if(MPSBENCH_SANITIZE MATCHES "thread")
    target_link_libraries(${name} PRIVATE mpsbench_options)
  else()
    # Only the layers under test are checked by AddressSanitizer, so ccache has the objects of the tests from the tree dev.
    target_link_libraries(${name} PRIVATE mpsbench_warnings)
    target_link_options(${name} PRIVATE $<TARGET_PROPERTY:mpsbench_options,INTERFACE_LINK_OPTIONS>)
  endif()
  if("$ENV{MPSBENCH_CI}" STREQUAL "")
    mpsbench_unity(${name} 8) # compiles one changed test quickly
  else()
    mpsbench_unity(${name} 0) # a first build
  endif()
  # -O0 saves a quarter of the compile time. The layers under test are compiled as for users.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()

# Makes one test program per folder, from its *_test.cpp but those WITHOUT names, and one test of ctest that runs it.
# SOURCES names the files instead.
#
#   mpsbench_tests(stats LINKS mpsbench::stats)
function(mpsbench_tests name)
  cmake_parse_arguments(TESTS "" "" "SOURCES;WITHOUT;LINKS" ${ARGN})
  if(NOT TESTS_SOURCES)
    file(
      GLOB TESTS_SOURCES
      CONFIGURE_DEPENDS
      RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
      *_test.cpp)
    list(REMOVE_ITEM TESTS_SOURCES "" ${TESTS_WITHOUT})
  endif()
  mpsbench_test_program(${name}_tests ${TESTS_SOURCES} LINKS ${TESTS_LINKS} GTest::gtest GTest::gtest_main)
  # One process for all tests of a folder: each start of LibTorch takes 0.4 s.
  add_test(NAME ${name} COMMAND ${name}_tests --gtest_brief=1)
endfunction()
