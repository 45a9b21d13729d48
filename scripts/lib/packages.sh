# Installs compilers, tools and libraries with the system's package manager.

cmake_minimum=3.22

# package_names apt|brew KEY: prints the names of the system's packages for KEY. Prints nothing if the system has KEY
# without a package.
package_names() {
  case $1:$2 in
    apt:compiler) echo g++ ;;
    apt:ninja) echo ninja-build ;;
    apt:python) echo python3 ;;
    apt:venv) echo python3-venv ;;
    apt:nlohmann_json) echo nlohmann-json3-dev ;;
    apt:CLI11) echo libcli11-dev ;;
    apt:fmt) echo libfmt-dev ;;
    apt:spdlog) echo libspdlog-dev ;;
    apt:Boost) echo libboost-dev ;;
    apt:benchmark) echo libbenchmark-dev ;;
    apt:utf8proc) echo libutf8proc-dev ;;
    apt:GTest) echo libgtest-dev ;;
    apt:cross_compiler) echo g++-aarch64-linux-gnu ;;
    apt:qemu) echo qemu-user-static ;;
    apt:benchmark_tools) echo libbenchmark-tools ;;
    apt:mpirun) echo openmpi-bin ;;
    brew:compiler) ;; # part of macOS and of Xcode's tools
    brew:venv) echo python ;;
    brew:nlohmann_json) echo nlohmann-json ;;
    brew:CLI11) echo cli11 ;;
    brew:Boost) echo boost ;;
    brew:benchmark) echo google-benchmark ;;
    brew:GTest) echo googletest ;;
    *) echo "$2" ;;
  esac
}

have_compiler() {
  if on_macos; then xcode-select -p >/dev/null 2>&1; else type -P "${CXX:-c++}" >/dev/null; fi
}

# Sets cmake and ninja to the programs to use, or to nothing if there are none.
find_tools() {
  local path
  # Prefer the ninja that built this checkout before: another version of ninja would rebuild everything.
  cmake=
  ninja=$(sed -n 's/^CMAKE_MAKE_PROGRAM:[A-Z]*=//p' "$root"/build/*/CMakeCache.txt 2>/dev/null | head -n 1) || true
  [ -x "$ninja" ] || ninja=$(first_program ninja)
  while IFS= read -r path; do
    if version_at_least "$("$path" --version 2>/dev/null | sed -n '1s/^cmake version //p')" "$cmake_minimum"; then
      cmake=$path
      break
    fi
  done < <(programs_named cmake)
}

# missing_packages run|test: sets missing to the keys of what is not installed, and missing_optional to those of them
# that the build does not need. CMake is asked which libraries it finds, so libraries that were not installed as packages
# count, too. Without CMake, all libraries are listed as missing.
missing_packages() {
  local probe_output key
  missing= missing_optional=
  find_tools
  have_compiler || missing="$missing compiler"
  [ -n "$cmake" ] || missing="$missing cmake"
  [ -n "$ninja" ] || missing="$missing ninja"
  if [ -n "$missing" ]; then
    missing="$missing nlohmann_json CLI11 fmt spdlog Boost benchmark utf8proc"
    [ "$1" != test ] || missing="$missing GTest"
  else
    rm -rf "$root/build/probe"
    probe_output=$("$cmake" -S "$root/scripts/lib/probe" -B "$root/build/probe" -G Ninja \
      "-DCMAKE_MAKE_PROGRAM=$ninja" "-DMPSBENCH_PROBE=$1" 2>&1) || true
    printf '%s\n' "$probe_output" >"$log"
    case $probe_output in
      *'probe finished'*) ;;
      *) missing="$missing compiler" ;;
    esac
    missing="$missing $(printf '%s\n' "$probe_output" | sed -n 's/^-- missing: //p' | tr '\n' ' ')"
  fi
  if [ "$needs_venv" = yes ]; then
    # PyTorch needs Python 3.10 or later, and Apple's own Python is older.
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || missing="$missing python"
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing venv"
  fi
  if [ "$1" = test ]; then
    [ -n "$(first_program ccache)" ] || missing="$missing ccache"
    missing="$missing $(missing_in_ci)"
  fi
  set -- $missing
  missing=
  for key in "$@"; do
    case $key in
      utf8proc | zsh | fish | groff | mandoc | mpirun | benchmark_tools) missing_optional="$missing_optional $key" ;;
      *) missing="$missing $key" ;;
    esac
  done
}

# Prints the keys of missing programs that only some tests need. In CI these must be installed; elsewhere the tests are
# skipped.
missing_in_ci() {
  local program
  if [ -z "${MPSBENCH_CI:-}" ] || on_macos; then return; fi
  for program in zsh fish groff mandoc mpirun; do type -P "$program" >/dev/null || echo "$program"; done
  [ -f /usr/share/benchmark/compare.py ] || echo benchmark_tools
}

# names_of apt|brew KEY...: prints the names of all packages for these keys, in one line.
names_of() {
  local manager=$1 key
  shift
  for key in "$@"; do package_names "$manager" "$key"; done | tr '\n' ' '
}

# Prints the prefix with which this user can install packages: nothing for root, or sudo if it asks for no password.
# Otherwise fails.
root_prefix() {
  if [ "$(id -u)" -eq 0 ]; then return; fi
  type -P sudo >/dev/null && sudo -n true 2>/dev/null && echo "sudo -n"
}

apt_install() {
  local names=$1 prefix command
  command="apt-get update && apt-get install -y ${names% }"
  if ! prefix=$(root_prefix); then
    if type -P sudo >/dev/null; then command="sudo sh -c '$command'"; else command="su -c '$command'"; fi
    die "some system packages are missing. Run this, then start again:
$command"
  fi
  set -- $prefix env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600
  say "installing with apt-get: ${names% }"
  # The first attempt fails if the package lists are empty or out of date.
  "$@" install -y --no-install-recommends $names >"$log" 2>&1 && return
  quietly "apt-get update" "$@" update || true
  quietly "apt-get install" "$@" install -y --no-install-recommends $names || exit 2
}

brew_install() {
  have_compiler || die "Apple's compiler is missing. Run this, then start again:
xcode-select --install"
  [ -n "${1% }" ] || return 0
  type -P brew >/dev/null || die "some packages are missing. Install Homebrew, then run this and start again:
brew install ${1% }"
  say "installing with Homebrew: ${1% }"
  quietly "brew install" brew install $1 || exit 2
}

install_packages() {
  if on_macos; then
    brew_install "$(names_of brew "$@")"
  elif type -P apt-get >/dev/null; then
    apt_install "$(names_of apt "$@")"
  else
    die "some packages are missing. Install these with your system's package manager, then start again: $*"
  fi
}

# need_packages run|test: installs what is missing and sets cmake and ninja.
need_packages() {
  missing_packages "$1"
  if [ -n "$missing" ]; then
    install_packages $missing $missing_optional
    hash -r
    missing_packages "$1"
    [ -z "$missing" ] ||
      die "these packages are still missing or too old after the installation (Debian 12 and Ubuntu 24.04 have them):$missing"
  elif [ -n "$missing_optional" ]; then
    (install_packages $missing_optional) || say "continuing without$missing_optional"
  fi
}
