# Writes the header OUTPUT: the commit of the checkout SOURCE, and whether the sources of the programs differ from it.
# Every build runs this. A header that would not change is not written, so that nothing is compiled or linked again.
#
#   cmake -D SOURCE=. -D OUTPUT=build/commit.hpp -P cmake/commit.cmake
cmake_minimum_required(VERSION 3.22)
set(commit "")
set(changed false)
if(EXISTS ${SOURCE}/.git) # otherwise git would look in the folders above
  execute_process(
    COMMAND git --no-optional-locks status --porcelain=v2 --branch --untracked-files=normal -- CMakeLists.txt cmake src apps
    WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE status
    RESULT_VARIABLE unused # without git the commit is unknown
    ERROR_QUIET)
  if(status MATCHES "^# branch\\.oid ([0-9a-f]+)")
    string(SUBSTRING ${CMAKE_MATCH_1} 0 12 commit)
    if(status MATCHES "\n[^#\n]")
      set(changed true)
    endif()
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/commit.hpp.in ${OUTPUT} @ONLY)
