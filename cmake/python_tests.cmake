# Tests written in Python. If something is missing, they exit with 77, and ctest skips them: see tests/wanted.py.
set(MPSBENCH_PYTHON python3 CACHE STRING "Python with the packages of scripts/requirements*.txt, for tests")

#   mpsbench_python_test(setup.torch torch_test.py [ARGUMENTS...])
function(mpsbench_python_test name file)
  add_test(NAME ${name} COMMAND ${MPSBENCH_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endfunction()
