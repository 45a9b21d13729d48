# Compiler options for our own targets, which link mpsbench_options. Warnings are errors, except in what users build
# (the preset release), so that new warnings of a newer compiler do not stop their build.
option(MPSBENCH_WERROR "Treat warnings as errors" ON)

add_library(mpsbench_options INTERFACE)
target_compile_options(
  mpsbench_options
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
  target_compile_options(mpsbench_options INTERFACE -Wno-restrict)
endif()
if(MPSBENCH_SANITIZE)
  # Without -fno-sanitize-recover, undefined behaviour would be reported but not fail the test.
  target_compile_options(mpsbench_options INTERFACE -fsanitize=${MPSBENCH_SANITIZE} -fno-sanitize-recover=all
                                                    -fno-omit-frame-pointer)
  target_link_options(mpsbench_options INTERFACE -fsanitize=${MPSBENCH_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With sanitizers, GCC warns about uninitialised members in the standard library's <regex> (GCC bug 105562).
    target_compile_options(mpsbench_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
