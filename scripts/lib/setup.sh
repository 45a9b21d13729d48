# The long way: everything that a build needs, from a bare machine on.
source "$root/scripts/lib/packages.sh"
source "$root/scripts/lib/venv.sh"
source "$root/scripts/lib/torch.sh"

# set_up run|test|quick: sets cmake, ninja and torch_dir. `test` and `quick` also want the tools of the tests;
# `quick` does without LibTorch.
set_up() {
  local for_tests=test
  torch_dir= needs_venv=yes
  if [ "$1" = run ]; then for_tests=run; fi
  if [ "$1" != quick ]; then find_torch; fi
  if [ "$1" = run ] && [ -n "$torch_dir" ]; then needs_venv=no; fi
  need_packages "$for_tests"
  if [ "$1" != quick ] && [ -z "$torch_dir" ]; then
    torch_into_venv any
    use_venv_torch
  elif [ "$1" = test ]; then
    torch_into_venv cpu # for the Python side of comparisons
  fi
  if [ "$for_tests" = test ]; then dev_tools_into_venv; fi
}
