# Tests written in Python. If something is missing, they exit with 77, and ctest skips them: see tests/wanted.py.
set(MPSBENCH_PYTHON python3 CACHE STRING "Python with the packages of scripts/requirements*.txt, for tests")

# A program that checks something:
#   mpsbench_python_test(layers.check layers_check.py [ARGUMENTS...])
function(mpsbench_python_test name file)
  add_test(NAME ${name} COMMAND ${MPSBENCH_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endfunction()

# Cases of Python's unittest:
#   mpsbench_unittest(setup.torch torch_test.py [ARGUMENTS...])
function(mpsbench_unittest name file)
  file(RELATIVE_PATH program ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests/run.py)
  mpsbench_python_test(${name} ${program} ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${ARGN})
endfunction()
