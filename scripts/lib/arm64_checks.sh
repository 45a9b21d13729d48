# The builds and the runs of scripts/check_arm64.

build_arm64() {
  (
    lock_checkout
    configure arm64 -DMPSBENCH_TORCH=OFF -DMPSBENCH_TESTS=ON "-DMPSBENCH_PYTHON=$venv/bin/python" && build arm64
  )
}

# In the same tree: only what needs LibTorch is left to build.
build_arm64_worker() {
  (
    lock_checkout
    configure arm64 -DMPSBENCH_TORCH=ON -DMPSBENCH_TESTS=OFF \
      "-DTorch_DIR=$arm64_tree/torch/torch/share/cmake/Torch" && build arm64
  )
}

# Tests that are left out (regular expressions), and why.
left_out() {
  cat <<'END'
(layers|setup)\..* no program for Arm runs in them
.*Promises.* long simulations
e2e\.bad_files it limits seconds and memory, and becomes another user: not under qemu-user in a namespace
e2e\.broken_workers posix_spawn under qemu-user succeeds for a program that cannot be started
supervise\.RunLaunch\.AMissingWorkerIsAFailureToSpawn the same
supervise\.ProgramOutput\.OfAProgramThatIsNotThere the same
supervise\.RunWorker\.SaysWhyAProgramCannotBeStarted the same
supervise\.RunLaunch\.KeepsTheEndOfWhatADeadWorkerPrinted qemu-user prints a line of its own when a program dies
END
}

# run_arm64_tests [CTEST ARGUMENTS]
run_arm64_tests() {
  local pattern= name reason
  while read -r name reason; do
    printf 'left out  %s: %s\n' "$name" "$reason"
    pattern="$pattern|^$name\$"
  done < <(left_out)
  run_ctest arm64 --exclude-regex "${pattern#|}" "$@"
}

# run_arm64_case MODE: one short launch of mlp by the front and its worker.
run_arm64_case() {
  local report=$arm64_tree/mlp-$1.json
  rm -f "$report"
  "$arm64_tree/bin/mpsbench" run --model mlp --device cpu --mode "$1" --batch-size 2 --repeats 1 --threads 2 \
    --max-time 10s --export-json "$report" &&
    "$venv/bin/python" "$root/scripts/lib/arm64_report.py" "$report"
}
