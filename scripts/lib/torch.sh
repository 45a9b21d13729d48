# Finds LibTorch, or installs it into the project's own Python environment.

torch_minimum=2.9
torch_version=2.13.0

# Where the CPU build comes from when the configured index of pip has none.
torch_cpu_index=${MPSBENCH_TORCH_INDEX:-https://download.pytorch.org/whl/cpu}

# The folder of the CUDA toolkit; fails where there is none. CUDA_HOME, when set, is the only place looked at.
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

# use_torch FOLDER ORIGIN: sets torch_dir when the TorchConfig.cmake there can be built against; else says why not.
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
    say "skipping $2: LibTorch $version in $1 is a CUDA build, and no CUDA toolkit (nvcc) is here to build against it"
    return 1
  fi
  torch_dir=$(cd "$1" && pwd -P)
}

# The folder of TorchConfig.cmake below one entry of CMAKE_PREFIX_PATH, where CMake would find it.
torch_below() {
  local folder
  for folder in "$1" "$1/Torch" "$1/share/cmake/Torch" "$1/lib/cmake/Torch" "$1/lib64/cmake/Torch"; do
    if [ -f "$folder/TorchConfig.cmake" ]; then
      echo "$folder"
      return
    fi
  done
}

# The folder of the torch package of a Python, without the second that importing it takes.
torch_package_of() {
  (cd / && "$1" -c 'import importlib.util as u
spec = u.find_spec("torch")
print(spec.submodule_search_locations[0] if spec else "")' 2>/dev/null) || true
}

# Looks in Torch_DIR, CMAKE_PREFIX_PATH, the active Python; sets torch_dir, empty when none can be used.
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
      '' | "$venv"/*) ;; # our own environment may be half made; it is looked at last
      *) use_torch "$package/share/cmake/Torch" "the active Python's torch" || true ;;
    esac
  fi
}

# torch_into_venv any|cpu: `any` takes a CUDA build where a driver and a toolkit are here; `cpu` is for Python alone.
torch_into_venv() {
  venv_has torch "$torch_version" && return
  begin_venv_change
  say "installing torch $torch_version (about 200 MB to load)"
  choose_torch "$1"
  end_venv_change torch "$torch_version"
}

choose_torch() {
  if on_macos; then
    pip_install "torch==$torch_version" || pip_failed
  elif pip_install "torch==$torch_version+cpu"; then
    :
  elif [ "$1" = cpu ] || ! nvidia_driver; then
    say "not from the configured index ($(tail -n 1 "$log")); trying $torch_cpu_index"
    pip_install --index-url "$torch_cpu_index" "torch==$torch_version+cpu" || pip_failed
  elif cuda_toolkit >/dev/null; then
    say "an NVIDIA driver and the CUDA toolkit are here: the CUDA build, about 3 GB"
    pip_install "torch==$torch_version" || pip_failed
  else
    die "an NVIDIA driver is here but no CUDA toolkit: install NVIDIA's CUDA toolkit 13 (nvcc on PATH or CUDA_HOME set), then run this again"
  fi
}

use_venv_torch() {
  local package
  package=$(torch_package_of "$venv/bin/python")
  if [ -z "$package" ] || ! use_torch "$package/share/cmake/Torch" "the torch of $venv"; then
    die "no usable torch in $venv: remove that folder, then run this again"
  fi
}
