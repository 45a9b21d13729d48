# The project's own Python environment, .venv. The file $venv_part exists while the environment is being changed. If an
# interruption left that file behind, the environment is made again from scratch.

venv_part=$root/build/venv-part

venv_ready() {
  [ ! -f "$venv_part" ] && [ -f "$venv/mpsbench-made" ] && "$venv/bin/python" -c '' 2>/dev/null
}

# venv_has WHAT VALUE: whether `end_venv_change WHAT VALUE` was reached, so that this change is complete.
venv_has() { venv_ready && [ "$(cat "$venv/mpsbench-$1" 2>/dev/null)" = "$2" ]; }

begin_venv_change() {
  local clear=
  if venv_ready; then
    touch "$venv_part"
    return
  fi
  say "making a Python environment in $venv"
  # Clear only what an earlier set-up left behind, never an environment that somebody else made here.
  [ ! -f "$venv_part" ] || clear=--clear
  touch "$venv_part"
  quietly "python3 -m venv" python3 -m venv $clear "$venv" || exit 2
  touch "$venv/mpsbench-made"
}

end_venv_change() {
  echo "$2" >"$venv/mpsbench-$1"
  rm "$venv_part"
}

pip_install() {
  "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --progress-bar off "$@" >"$log" 2>&1
}

pip_failed() {
  say "pip failed; the end of $log:"
  tail -n 8 "$log" >&2
  exit 2
}

# Installs what tests, lint and charts need, in the versions of the two requirements files.
dev_tools_into_venv() {
  local wanted
  wanted=$(cat "$root/scripts/requirements.txt" "$root/scripts/requirements-dev.txt" | cksum)
  venv_has dev "$wanted" && return
  begin_venv_change
  say "installing the Python packages of the tests"
  pip_install -r "$root/scripts/requirements.txt" -r "$root/scripts/requirements-dev.txt" || pip_failed
  end_venv_change dev "$wanted"
}
