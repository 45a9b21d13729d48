# Cross-compiles for macOS arm64, for scripts/dev/check_macos. Everything that is downloaded or built is in build/macos:
# venv and bin (the tools), torch-VERSION, cli11 and libraries (dependencies), packages-VERSION (links to header-only
# packages), tree-VERSION (the build). If a command fails, its function returns that command's exit status.

macos=$root/build/macos

# The oldest and, last, the newest LibTorch that the project supports on a Mac. With the newest LibTorch, our sources are
# compiled with the newest available headers of other libraries; with the others, with the headers of this system.
macos_torch_versions=${MPSBENCH_MACOS_TORCH:-2.9.1 2.15.0}

# pip's options for the platforms and the Python of these wheels.
macos_wheels=(--platform macosx_14_0_arm64 --platform macosx_11_0_arm64 --python-version 3.12 --implementation cp)

# These libraries are linked, so they are built from source. All other packages are header-only.
macos_libraries="benchmark googletest utf8proc"
# Leave out their tests. CMake looks for librt by compiling without linking, so it would find one that is not there.
macos_library_options="-DBENCHMARK_ENABLE_TESTING=OFF -DHAVE_LIB_RT=OFF -DBUILD_GMOCK=OFF -DUTF8PROC_ENABLE_TESTING=OFF"

# The versions that Homebrew has today. name_untried says which of them were not tried.
macos_newest_packages="fmt=12 CLI11=2.7 spdlog=1.17"

# Prints the oldest macOS that our own code supports.
macos_least() { sed -n 's/^set(mpsbench_least_macos \([0-9.]*\)).*/\1/p' "$root/cmake/macos.cmake"; }

# The compiler's cache identifies zig by its version and the wrapper script, not by its path. The folder added to PATH
# has a program that CMake expects on a Mac.
macos_environment() {
  local version
  version=$(sed -n 's/^ziglang==//p' "$root/scripts/requirements-macos.txt")
  export PATH="$macos/host:$PATH" CCACHE_COMPILERTYPE=clang
  export CCACHE_COMPILERCHECK="string:ziglang $version $(cksum <"$root/scripts/dev/lib/macos_tool")"
}

# made WHAT KEY: whether the part WHAT was completed with this KEY. note_made WHAT KEY: notes that it is complete.
made() { [ "$(cat "$macos/$1.made" 2>/dev/null)" = "$2" ]; }
note_made() { printf '%s\n' "$2" >"$macos/$1.made"; }

# Runs pip without this machine's own constraints on versions, which do not apply to another system's packages.
macos_pip() { PIP_CONSTRAINT=/dev/null "$macos/venv/bin/python" -m pip --disable-pip-version-check --no-input "$@"; }

# macos_package NAME: prints the folder of a Python package in our environment.
macos_package() { "$macos/venv/bin/python" -c "import $1; print($1.__path__[0])"; }

# Installs the tools, and links to them under the names that cmake/macos_cross.cmake uses.
make_macos_tools() {
  local key name zig
  key=$(cksum <"$root/scripts/requirements-macos.txt")
  if ! made venv "$key"; then
    rm -rf "$macos/venv" "$macos/venv.made"
    mkdir -p "$macos"
    python3 -m venv "$macos/venv" && macos_pip install -r "$root/scripts/requirements-macos.txt" || return
    note_made venv "$key"
  fi
  zig=$(macos_package ziglang)/zig && mkdir -p "$macos/bin" && ln -sfn "$zig" "$macos/bin/zig" || return
  for name in cc c++ ar ranlib; do ln -sfn ../../../scripts/dev/lib/macos_tool "$macos/bin/$name"; done
  # CMake before 3.30 runs a Mac's own program, sw_vers, to learn which macOS it is on. Without an answer, it assumes a
# macOS without @rpath.
  mkdir -p "$macos/host"
  printf '#!/bin/sh\necho 14.0\n' >"$macos/host/sw_vers"
  chmod +x "$macos/host/sw_vers"
}

# make_macos_torch VERSION: unpacks the headers, libraries and CMake files of the Mac's wheel.
make_macos_torch() {
  local name=torch-$1
  made "$name" "$1" && return
  rm -rf "$macos/$name" "$macos/wheel"
  macos_pip download --no-deps --only-binary=:all: "${macos_wheels[@]}" --dest "$macos/wheel" "torch==$1" || return
  "$macos/venv/bin/python" -c 'import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
wanted = ("torch/include/", "torch/lib/", "torch/share/cmake/")
wheel.extractall(sys.argv[2], [name for name in wheel.namelist() if name.startswith(wanted)])' \
    "$macos"/wheel/torch-*.whl "$macos/$name" || return
  rm -rf "$macos/wheel"
  note_made "$name" "$1"
}

# apt_elsewhere COMMAND...: runs apt-get with separate package lists and sources; the system's are not changed.
apt_elsewhere() {
  apt-get -q -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$macos/apt/sources" \
    -o "Dir::State::Lists=$macos/apt/lists" -o "Dir::Cache=$macos/apt/cache" "$@"
}

# update_lists SED-ARGUMENTS...: edits a copy of the system's package sources with sed, and downloads their lists.
update_lists() {
  local list places=$macos/apt/sources
  rm -rf "$macos/apt"
  mkdir -p "$places" "$macos/apt/lists/partial" "$macos/apt/cache/archives/partial"
  for list in /etc/apt/sources.list.d/{debian,ubuntu}.sources /etc/apt/sources.list; do
    [ ! -f "$list" ] || sed "$@" "$list" >"$places/system.${list##*.}" || return
  done
  apt_elsewhere update
}

# fetch_sources NAME...: downloads source packages of this system's release and unpacks them in build/macos/sources/NAME.
fetch_sources() {
  local name archive
  rm -rf "$macos/sources"
  update_lists -e 's/^Types:.*/Types: deb-src/' -e 's/^deb /deb-src /' || return
  for name in "$@"; do
    mkdir -p "$macos/sources/$name" && (cd "$macos/apt" && apt_elsewhere source --download-only "$name") || return
    for archive in "$macos/apt/${name}"_*.orig.tar.*; do
      case $archive in *.asc) continue ;; esac # a signature
      tar -x -f "$archive" -C "$macos/sources/$name" --strip-components=1 || return
    done
  done
  rm -rf "$macos/apt"
}

# Downloads the headers of the CLI11 in Debian's development release, sid. Fails on a system other than Debian.
make_macos_cli11() {
  made cli11 sid && return
  rm -rf "$macos/cli11"
  grep -qs '^Suites:' /etc/apt/sources.list.d/debian.sources &&
    update_lists -e 's/^Suites:.*/Suites: sid/' -e '/^$/,$d' &&
    (cd "$macos/apt" && apt_elsewhere download libcli11-dev) &&
    dpkg-deb -x "$macos"/apt/libcli11-dev_*.deb "$macos/cli11" || return
  rm -rf "$macos/apt"
  note_made cli11 sid
}

# Builds the libraries that must be linked, with the same tools as our programs.
make_macos_libraries() {
  local name key tree
  key="$macos_libraries|$macos_library_options|$(macos_least)|$CCACHE_COMPILERCHECK"
  made libraries "$key" && return
  rm -rf "$macos/libraries"
  fetch_sources $macos_libraries || return
  for name in $macos_libraries; do
    tree=$macos/sources/$name/tree
    "$cmake" -G Ninja -S "$macos/sources/$name" -B "$tree" "-DCMAKE_TOOLCHAIN_FILE=$root/cmake/macos_cross.cmake" \
      "-DCMAKE_MAKE_PROGRAM=$ninja" "-DCMAKE_C_COMPILER_LAUNCHER=$ccache" "-DCMAKE_CXX_COMPILER_LAUNCHER=$ccache" \
      "-DCMAKE_INSTALL_PREFIX=$macos/libraries" "-DCMAKE_OSX_DEPLOYMENT_TARGET=$(macos_least)" \
      -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g0" -DCMAKE_POLICY_VERSION_MINIMUM=3.5 \
      $macos_library_options &&
      "$ninja" -C "$tree" -j "$(job_count)" install || return
  done
  rm -rf "$macos/sources"
  note_made libraries "$key"
}

# link_macos_headers VERSION: links the header-only packages, and writes their versions to packages-VERSION.txt.
link_macos_headers() {
  local folder=$macos/packages-$1 spdlog
  if [ "$1" = "${macos_torch_versions##* }" ]; then
    spdlog=$(macos_package tokenspeed_spdlog) || return
    set -- "fmt=$macos/torch-$1/torch/include" "spdlog=$spdlog/include"
    if [ -n "$cli11" ]; then set -- "$@" "CLI11=$cli11/usr/include"; fi
  else
    shift
  fi
  "$macos/venv/bin/python" "$root/scripts/dev/lib/macos_packages.py" "$folder" "$@" >"$folder.txt"
}

# configure_macos VERSION: configures the build with this LibTorch.
configure_macos() {
  local tree=$macos/tree-$1 torch=$macos/torch-$1 places
  places="$macos/packages-$1;$macos/libraries"
  (cd "$root" && "$cmake" --preset macos -B "$tree" "-DCMAKE_MAKE_PROGRAM=$ninja" \
    "-DCMAKE_CXX_COMPILER_LAUNCHER=$ccache" "-DTorch_DIR=$torch/torch/share/cmake/Torch" \
    "-DCMAKE_PREFIX_PATH=$places" "-DCMAKE_FIND_ROOT_PATH=$places;$torch")
}

# compile_macos VERSION [TARGETS]: builds TARGETS or, without them, everything. Fails also if there are only warnings,
# such as those of the linker.
compile_macos() {
  local tree=$macos/tree-$1 status=0
  shift
  "$ninja" -C "$tree" -k 0 -j "$(job_count)" "$@" >"$tree/build.log" 2>&1 || status=$?
  grep -v '^\[[0-9]*/[0-9]*\] ' "$tree/build.log"
  if grep -q 'warning:' "$tree/build.log"; then status=1; fi
  return "$status"
}

# inspect_macos VERSION [TARGETS]: checks the built programs, and writes the findings to tree-VERSION/inspected.txt.
inspect_macos() {
  local tree=$macos/tree-$1 torch=$macos/torch-$1/torch/lib of_mps
  shift
  [ $# -gt 0 ] || set -- "$tree"/bin/*
  of_mps=$(sed -n 's/.*MPSBENCH_MPS_LEAST_MACOS=\\"\([0-9.]*\).*/\1/p' "$tree/build.ninja" | sort -u)
  (cd "$tree" && "$macos/venv/bin/python" "$root/scripts/dev/lib/macos_inspect.py" --torch "$torch" \
    --least "$(macos_least)" --mps "$of_mps" "$@" | tee inspected.txt)
}

# name_untried VERSION: for the newest LibTorch, prints what is in macos_newest_packages but not in packages-VERSION.
name_untried() {
  local package name version untried=
  [ -f "$macos/packages-$1.txt" ] || return 0
  [ "$1" = "${macos_torch_versions##* }" ] || return 0
  for package in $macos_newest_packages; do
    name=${package%%=*}
    version=$(tr ',' '\n' <"$macos/packages-$1.txt" | sed -n "s/^ *$name //p")
    version_at_least "$version" "${package#*=}" || untried="$untried, $name ${package#*=}"
  done
  [ -z "$untried" ] || printf 'not tried:%s\n' "${untried#,}"
}
