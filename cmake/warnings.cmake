# Compiler options for our own targets. All link mpsbench_options, which adds sanitizers to mpsbench_warnings; only the
# sources of tests, which need no sanitizers, link mpsbench_warnings. Warnings are errors, except in what users build (the
# preset release), so that new warnings of a newer compiler do not stop their build.
option(MPSBENCH_WERROR "Treat warnings as errors" ON)

add_library(mpsbench_warnings INTERFACE)
add_library(mpsbench_options INTERFACE)
target_link_libraries(mpsbench_options INTERFACE mpsbench_warnings)
target_compile_options(
  mpsbench_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wconversion # implicit narrowing would silently change numbers
            -Wshadow
            -Wnon-virtual-dtor
            -Wold-style-cast
            -Woverloaded-virtual
            $<$<BOOL:${MPSBENCH_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns about overlapping copies in every `"text" + string` at -O2 and above (GCC bug 105651).
  target_compile_options(mpsbench_warnings INTERFACE -Wno-restrict)
endif()
cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR memory_mib_each "${memory_mib} / ${processors}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND memory_mib_each GREATER 3000)
  # Collecting garbage takes GCC a tenth of its time or more. With this, most sources need none.
  target_compile_options(mpsbench_warnings INTERFACE --param=ggc-min-heapsize=1048576)
endif()
if(MPSBENCH_SANITIZE)
  # Without -fno-sanitize-recover, undefined behaviour would be reported but not fail the test.
  target_compile_options(mpsbench_options INTERFACE -Og -g1 -UNDEBUG -fno-omit-frame-pointer
                                                    -fsanitize=${MPSBENCH_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(mpsbench_options INTERFACE -fsanitize=${MPSBENCH_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With sanitizers, GCC warns about uninitialised members in the standard library's <regex> (GCC bug 105562).
    target_compile_options(mpsbench_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
