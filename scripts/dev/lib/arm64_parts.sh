# Installs what a build for Linux on Arm needs: Debian's cross compiler and qemu, and libraries and LibTorch for Arm.

arm64_tree=$root/build/arm64
arm64_torch=2.10.0 # the newest version for Arm without CUDA on PyPI
arm64_libraries="nlohmann_json CLI11 fmt spdlog Boost benchmark utf8proc GTest"

# This file, a part of qemu's package, tells the kernel which programs qemu runs.
arm64_binfmt=/usr/lib/binfmt.d/qemu-aarch64.conf

make_arm64_parts() {
  need_arm64_tools
  make_arm64_sysroot
  load_arm64_torch
}

need_arm64_tools() {
  local missing=
  type -P aarch64-linux-gnu-g++ >/dev/null || missing="$missing cross_compiler"
  [ -f "$arm64_binfmt" ] || missing="$missing qemu"
  [ -z "$missing" ] || install_packages $missing
}

# Runs apt-get for Arm with separate package lists, cache and record of installed packages: the system's are not changed.
arm64_apt() {
  local own=$arm64_tree/apt
  mkdir -p "$own/lists/partial" "$own/archives/partial"
  : >"$own/status"
  nice apt-get -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= -o "Dir::State=$own" \
    -o "Dir::State::status=$own/status" -o "Dir::Cache=$own" "$@"
}

# Downloads the libraries and everything that they need, and unpacks them into a root folder for Arm.
make_arm64_sysroot() {
  local names stamp=$arm64_tree/sysroot/made sysroot=$arm64_tree/sysroot package link
  names="libc6-dev $(names_of apt $arm64_libraries)"
  [ "$(cat "$stamp" 2>/dev/null)" != "$names" ] || return 0
  say "downloading the libraries for Arm"
  rm -rf "$sysroot" "$arm64_tree/apt"
  quietly "apt-get update" arm64_apt update || exit 2
  quietly "apt-get install" arm64_apt install -y --download-only --no-install-recommends $names || exit 2
  mkdir -p "$sysroot"
  for package in "$arm64_tree"/apt/archives/*.deb; do dpkg-deb --extract "$package" "$sysroot"; done
  # Absolute links would lead out of this folder, which is not the root of the file system: redirect them into it.
  while IFS= read -r link; do ln -sfn "$sysroot$(readlink "$link")" "$link"; done < <(find "$sysroot" -type l -lname '/*')
  rm -rf "$arm64_tree/apt"
  echo "$names" >"$stamp"
}

load_arm64_torch() {
  local stamp=$arm64_tree/torch/made
  [ "$(cat "$stamp" 2>/dev/null)" != "$arm64_torch" ] || return 0
  say "downloading LibTorch $arm64_torch for Arm (about 150 MB)"
  rm -rf "$arm64_tree/torch"
  PIP_CONSTRAINT= pip_install --target "$arm64_tree/torch" --platform manylinux_2_28_aarch64 --python-version 3.11 \
    --implementation cp --only-binary=:all: --no-deps --no-compile "torch==$arm64_torch" || pip_failed
  echo "$arm64_torch" >"$stamp"
}

# enter_arm64 COMMAND...: replaces this script by COMMAND, in a namespace where the kernel starts all programs for Arm with
# qemu, including those that other programs start. The namespace ends with the command.
enter_arm64() {
  export QEMU_LD_PREFIX=$arm64_tree/sysroot
  unshare --user --map-root-user --mount mount -t binfmt_misc none /proc/sys/fs/binfmt_misc ||
    die "this kernel does not allow binfmt_misc in a user namespace: use Linux 6.7 or later and allow user namespaces"
  exec unshare --user --map-root-user --mount bash -euc '
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    cat "$0" >/proc/sys/fs/binfmt_misc/register
    exec "$@"' "$arm64_binfmt" "$@"
}
