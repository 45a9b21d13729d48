# Installs everything that a build needs, also on a machine that has nothing yet.
source "$root/scripts/lib/packages.sh"
source "$root/scripts/lib/venv.sh"
source "$root/scripts/lib/torch.sh"

# set_up run|test|quick: sets cmake, ninja and torch_dir. `test` and `quick` also install the tools for the tests. `quick`
# needs no LibTorch.
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
    torch_into_venv cpu # the tests compare mpsbench with PyTorch in Python
  fi
  if [ "$for_tests" = test ]; then dev_tools_into_venv; fi
}
