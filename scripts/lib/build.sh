# Configures and builds a tree, build/PRESET.

# Sets key to everything that decides where tools and LibTorch come from. While the key stays the same, the tree need not
# be configured again.
setup_key() {
  key="$(type -P python3 || true)|${VIRTUAL_ENV:-}|${CONDA_PREFIX:-}|${PYENV_VERSION:-}|${CXX:-}|${CUDA_HOME:-}"
  key="$key|${Torch_DIR:-}|${CMAKE_PREFIX_PATH:-}|$root"
}

# rebuild PRESET: builds a tree that is already configured for this environment. Fails without a message if the tree must
# be configured first.
rebuild() {
  local stamp=$root/build/$1/.setup known ninja torch
  setup_key
  [ -f "$stamp" ] || return 1
  { IFS= read -r known && IFS= read -r ninja && IFS= read -r torch; } <"$stamp" || return 1
  [ "$known" = "$key" ] && [ -x "$ninja" ] && [ -f "$torch/TorchConfig.cmake" ] || return 1
  run_ninja "$root/build/$1" "$ninja"
}

# configure PRESET [CMAKE ARGUMENTS]: uses torch_dir, cmake and ninja, which set_up has set.
configure() {
  local preset=$1 tree=$root/build/$1 launcher
  shift
  rm -f "$tree/.setup"
  if [ -n "$torch_dir" ]; then
    if ! grep -qxF "Torch_DIR:PATH=$torch_dir" "$tree/CMakeCache.txt" 2>/dev/null; then
      rm -rf "$tree/CMakeCache.txt" "$tree/CMakeFiles" # nothing of another LibTorch may remain
    fi
    set -- "-DTorch_DIR:PATH=$torch_dir" "$@"
  fi
  launcher=$(first_program ccache)
  [ -z "$launcher" ] || set -- "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" "$@"
  local toolkit
  if toolkit=$(cuda_toolkit); then export PATH="$toolkit/bin:$PATH"; fi
  (cd "$root" && quietly "cmake" "$cmake" --preset "$preset" "-DCMAKE_MAKE_PROGRAM=$ninja" "$@") || exit 2
}

# build PRESET [TARGETS]: builds what changed. Without TARGETS, also notes that the tree is complete, for rebuild.
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

# Prints the number of jobs: one per processor, but no more than one per 1.5 GB of memory, which a source that includes
# LibTorch needs.
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

# run_ninja TREE NINJA [TARGETS]: runs ninja and shows its progress.
run_ninja() {
  local tree=$1 program=$2
  shift 2
  NINJA_STATUS='[%f/%t] ' "$program" -C "$tree" -j "$(job_count)" "$@" 2>&1 | show_progress "$tree/build.log"
}

# show_progress LOG: copies ninja's output to LOG. On a terminal, shows the progress in one line that overwrites itself.
# Otherwise prints one line. Prints nothing if nothing is built.
show_progress() {
  local line step told=
  : >"$1"
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    case $line in
      '[0/'* | *'] Looking for uncommitted changes') continue ;; # nothing is built yet: CMake looks at the sources
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
