# Finds LibTorch, or installs it into the project's own Python environment.

torch_minimum=2.9
torch_version=2.13.0

# Where to download the CPU build from if pip's configured index does not have it.
torch_cpu_index=${MPSBENCH_TORCH_INDEX:-https://download.pytorch.org/whl/cpu}

# Prints the folder of the CUDA toolkit, or fails if there is none. If CUDA_HOME is set, looks only there.
cuda_toolkit() {
  local compiler
  if [ -n "${CUDA_HOME:-}" ]; then
    compiler=$CUDA_HOME/bin/nvcc
  else
    compiler=$(type -P nvcc || echo /usr/local/cuda/bin/nvcc)
  fi
  [ -x "$compiler" ] || return 1
  echo "${compiler%/bin/nvcc}"
}

nvidia_driver() { type -P nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }

# use_torch FOLDER ORIGIN: sets torch_dir to FOLDER if mpsbench can be built with its LibTorch. Otherwise says why not.
use_torch() {
  local version
  if [ ! -f "$1/TorchConfig.cmake" ]; then
    say "skipping $2: no TorchConfig.cmake in $1"
    return 1
  fi
  version=$(sed -n 's/^ *set(PACKAGE_VERSION "\([^"]*\)").*/\1/p' "$1/TorchConfigVersion.cmake" 2>/dev/null || true)
  if ! version_at_least "${version:-0}" "$torch_minimum"; then
    say "skipping $2: LibTorch ${version:-of unknown version} in $1 is older than $torch_minimum"
    return 1
  fi
  if [ -f "$1/../../../lib/libtorch_cuda.so" ] && ! cuda_toolkit >/dev/null; then
    say "skipping $2: LibTorch $version in $1 is a CUDA build, which needs the CUDA toolkit (nvcc), and that is not installed"
    return 1
  fi
  torch_dir=$(cd "$1" && pwd -P)
}

# Prints the folder of TorchConfig.cmake below one entry of CMAKE_PREFIX_PATH, as CMake would find it.
torch_below() {
  local folder
  for folder in "$1" "$1/Torch" "$1/share/cmake/Torch" "$1/lib/cmake/Torch" "$1/lib64/cmake/Torch"; do
    if [ -f "$folder/TorchConfig.cmake" ]; then
      echo "$folder"
      return
    fi
  done
}

# torch_package_of PYTHON: prints the folder of its torch package. Does not import torch, which would take a second. Takes
# the last line, because Python's own start-up code may print, too.
torch_package_of() {
  (cd / && "$1" -c 'import importlib.util as u
spec = u.find_spec("torch")
print(spec.submodule_search_locations[0] if spec else "")' 2>/dev/null | tail -n 1) || true
}

# Looks for LibTorch in Torch_DIR, CMAKE_PREFIX_PATH and the active Python. Sets torch_dir, to nothing if none is usable.
find_torch() {
  local entry folder package
  torch_dir=
  if [ -n "${Torch_DIR:-}" ] && use_torch "$Torch_DIR" Torch_DIR; then return; fi
  while IFS= read -r entry; do
    [ -n "$entry" ] || continue
    folder=$(torch_below "$entry")
    if [ -n "$folder" ] && use_torch "$folder" CMAKE_PREFIX_PATH; then return; fi
  done < <(printf '%s\n' "${CMAKE_PREFIX_PATH:-}" | tr ':;' '\n\n')
  if type -P python3 >/dev/null; then
    package=$(torch_package_of python3)
    case $package in
      '' | "$venv"/*) ;; # our own environment may be incomplete; set_up looks there last
      *) use_torch "$package/share/cmake/Torch" "the active Python's torch" || true ;;
    esac
  fi
}

# torch_into_venv any|cpu: installs torch into .venv. `any` chooses a CUDA build if this machine has a driver and a CUDA
# toolkit. `cpu` is for a torch that only Python uses.
torch_into_venv() {
  venv_has torch "$torch_version" && return
  begin_venv_change
  say "installing torch $torch_version (the CPU build's download has 100 to 200 MB)"
  choose_torch "$1"
  end_venv_change torch "$torch_version"
}

choose_torch() {
  if on_macos; then
    pip_install "torch==$torch_version" || pip_failed
  elif pip_install "torch==$torch_version+cpu"; then
    :
  elif [ "$1" = cpu ] || ! nvidia_driver; then
    say "pip's configured index does not have it ($(tail -n 1 "$log")); trying $torch_cpu_index"
    pip_install --index-url "$torch_cpu_index" "torch==$torch_version+cpu" || pip_failed
  elif cuda_toolkit >/dev/null; then
    say "this machine has an NVIDIA driver and the CUDA toolkit: installing the CUDA build (about 3 GB)"
    pip_install "torch==$torch_version" || pip_failed
  else
    die "this machine has an NVIDIA driver but no CUDA toolkit: install NVIDIA's CUDA toolkit 13 (nvcc on PATH or CUDA_HOME set), then run this again"
  fi
}

use_venv_torch() {
  local package
  package=$(torch_package_of "$venv/bin/python")
  if [ -z "$package" ] || ! use_torch "$package/share/cmake/Torch" "the torch of $venv"; then
    die "$venv has no usable torch: remove that folder, then run this again"
  fi
}
