# Configures and builds a tree: build/PRESET.

# What decides where tools and LibTorch come from. While it stays the same, the last configuration holds.
setup_key() {
  key="$(type -P python3 || true)|${VIRTUAL_ENV:-}|${CONDA_PREFIX:-}|${PYENV_VERSION:-}|${CXX:-}|${CUDA_HOME:-}"
  key="$key|${Torch_DIR:-}|${CMAKE_PREFIX_PATH:-}|$root"
}

# rebuild PRESET: the short way for a tree that is already configured for this environment. Fails, silently,
# when the long way has to be gone.
rebuild() {
  local stamp=$root/build/$1/.setup known ninja torch
  setup_key
  [ -f "$stamp" ] || return 1
  { IFS= read -r known && IFS= read -r ninja && IFS= read -r torch; } <"$stamp" || return 1
  [ "$known" = "$key" ] && [ -x "$ninja" ] && [ -f "$torch/TorchConfig.cmake" ] || return 1
  run_ninja "$root/build/$1" "$ninja"
}

# configure PRESET [CMAKE ARGUMENTS]: uses torch_dir, cmake and ninja, which set_up found.
configure() {
  local preset=$1 tree=$root/build/$1 launcher
  shift
  rm -f "$tree/.setup"
  if [ -n "$torch_dir" ]; then
    if ! grep -qxF "Torch_DIR:PATH=$torch_dir" "$tree/CMakeCache.txt" 2>/dev/null; then
      rm -rf "$tree/CMakeCache.txt" "$tree/CMakeFiles" # parts of another LibTorch must not stay behind
    fi
    set -- "-DTorch_DIR:PATH=$torch_dir" "$@"
  fi
  launcher=$(first_program ccache)
  [ -z "$launcher" ] || set -- "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" "$@"
  local toolkit
  if toolkit=$(cuda_toolkit); then export PATH="$toolkit/bin:$PATH"; fi
  (cd "$root" && quietly "cmake" "$cmake" --preset "$preset" "-DCMAKE_MAKE_PROGRAM=$ninja" "$@") || exit 2
}

# build PRESET [TARGETS]: builds what changed and, where that is all of it, notes that the tree is good.
build() {
  local tree=$root/build/$1
  shift
  run_ninja "$tree" "$ninja" "$@" || {
    say "the build failed:"
    grep -v '^\[[0-9]*/[0-9]*\] ' "$tree/build.log" | tail -n 40 >&2
    return 2
  }
  [ $# -eq 0 ] || return 0
  setup_key
  printf '%s\n' "$key" "$ninja" "$torch_dir" >"$tree/.setup.part"
  mv "$tree/.setup.part" "$tree/.setup"
}

# As many jobs as processors, but 1.5 GB of memory each: a LibTorch source takes that much.
job_count() {
  local processors memory_kb jobs name value
  if on_macos; then
    processors=$(sysctl -n hw.logicalcpu)
    memory_kb=$(($(sysctl -n hw.memsize) / 1024))
  else
    processors=$(nproc)
    while read -r name value _; do
      if [ "$name" = MemAvailable: ]; then memory_kb=$value; fi
    done </proc/meminfo
  fi
  jobs=$((memory_kb / 1500000))
  [ "$jobs" -le "$processors" ] || jobs=$processors
  [ "$jobs" -ge 1 ] || jobs=1
  echo "$jobs"
}

# run_ninja TREE NINJA [TARGETS]
run_ninja() {
  local tree=$1 program=$2
  shift 2
  NINJA_STATUS='[%f/%t] ' "$program" -C "$tree" -j "$(job_count)" "$@" 2>&1 | show_progress "$tree/build.log"
}

# On a terminal one line that overwrites itself, else one line; nothing when nothing is built.
show_progress() {
  local line step told=
  : >"$1"
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    case $line in
      '[0/'*) continue ;; # nothing is done yet: CMake looks whether there are new sources
      '['*/*'] '*) step=${line%%]*} step=${step#[} ;;
      *) continue ;;
    esac
    if [ -t 2 ]; then
      printf '\rmpsbench: building %s ' "$step" >&2
    elif [ -z "$told" ]; then
      say "building (${step#*/} steps)"
    fi
    told=yes
  done
  if [ -n "$told" ] && [ -t 2 ]; then printf '\r\033[K' >&2; fi
}
