# Functions for all scripts. Uses only Bash 3.2 and no GNU-only options, so that it also runs with macOS's own tools.
set -euo pipefail

venv=$root/.venv
log=$root/build/setup.log

# All checkouts share their objects in ccache: paths below the checkout are not part of the cache's key.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1

say() { printf 'mpsbench: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 2
}

on_macos() { [[ $OSTYPE = darwin* ]]; }

# version_at_least VERSION MINIMUM, such as 2.13.0a0+cpu 2.9: compares as many numbers as MINIMUM has.
version_at_least() {
  local have=${1%%[!0-9.]*} want=$2 h w
  while [ -n "$want" ]; do
    h=${have%%.*} w=${want%%.*}
    [ "${h:-0}" -gt "$w" ] && return 0
    [ "${h:-0}" -lt "$w" ] && return 1
    case $have in *.*) have=${have#*.} ;; *) have=0 ;; esac
    case $want in *.*) want=${want#*.} ;; *) want= ;; esac
  done
}

# programs_named NAME: prints every NAME on PATH, programs before scripts, because the wrapper scripts of pyenv and pip
# start slowly.
programs_named() {
  local path scripts=
  while IFS= read -r path; do
    if [ "$(head -c 2 "$path")" = '#!' ]; then scripts=$scripts$path$'\n'; else printf '%s\n' "$path"; fi
  done < <(type -aP "$1")
  printf '%s' "$scripts"
}

first_program() {
  local all
  all=$(programs_named "$1")
  printf '%s\n' "${all%%$'\n'*}"
}

# quietly WHAT COMMAND...: writes the output of COMMAND to the log. If COMMAND fails, shows the end of the log and returns
# the exit status.
quietly() {
  local what=$1 status=0
  shift
  "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    say "$what failed; the end of $log:"
    tail -n 15 "$log" >&2
  fi
  return "$status"
}

# Allows only one set-up or build at a time in a checkout. A lock of flock ends with the process that holds it. Without
# flock, the lock is a folder with the holder's process id; if that process has ended, we take over the lock.
lock_checkout() {
  mkdir -p "$root/build"
  if type -P flock >/dev/null; then
    exec 9>"$root/build/.lock"
    flock -n 9 && return
    say "waiting for another set-up or build in $root"
    flock 9
    return
  fi
  local holder told=
  until mkdir "$root/build/.lock.d" 2>/dev/null; do
    holder=$(cat "$root/build/.lock.d/pid" 2>/dev/null || true)
    if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
      rm -rf "$root/build/.lock.d"
      continue
    fi
    [ -n "$told" ] || say "waiting for another set-up or build in $root (if there is none, remove $root/build/.lock.d)"
    told=yes
    sleep 1
  done
  echo $$ >"$root/build/.lock.d/pid"
  trap 'unlock_checkout' EXIT
}

unlock_checkout() {
  if type -P flock >/dev/null; then
    exec 9>&-
  else
    rm -rf "$root/build/.lock.d"
    trap - EXIT
  fi
}
