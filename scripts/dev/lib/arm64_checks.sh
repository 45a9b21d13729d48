# The builds and the test runs of scripts/dev/check_arm64.

build_arm64() {
  (
    lock_checkout
    configure arm64 -DMPSBENCH_TORCH=OFF -DMPSBENCH_TESTS=ON "-DMPSBENCH_PYTHON=$venv/bin/python" && build arm64
  )
}

# Builds in the same tree, where only what needs LibTorch is not built yet.
build_arm64_worker() {
  (
    lock_checkout
    configure arm64 -DMPSBENCH_TORCH=ON -DMPSBENCH_TESTS=OFF \
      "-DTorch_DIR=$arm64_tree/torch/torch/share/cmake/Torch" && build arm64
  )
}

# Prints the tests of ctest to leave out (regular expressions), each with the reason.
left_out() {
  cat <<'END'
(layers|setup)\..* they run no program for Arm
e2e\.bad_files it limits time and memory and becomes another user, which fails under qemu-user in a namespace
e2e\.broken_workers posix_spawn under qemu-user succeeds even for a program that cannot be started
report\.promises it is a long simulation
END
}

# The same for tests of GoogleTest (its patterns).
left_out_of_programs() {
  cat <<'END'
RunLaunch.AMissingWorkerIsAFailureToSpawn posix_spawn succeeds under qemu-user
ProgramOutput.OfAProgramThatIsNotThere posix_spawn succeeds under qemu-user
RunWorker.SaysWhyAProgramCannotBeStarted posix_spawn succeeds under qemu-user
RunLaunch.KeepsTheEndOfWhatADeadWorkerPrinted qemu-user prints an extra line when a program dies
END
}

# run_arm64_tests [CTEST ARGUMENTS]: runs all tests that are not left out.
run_arm64_tests() {
  local pattern= patterns= name reason
  while read -r name reason; do
    printf 'left out  %s: %s\n' "$name" "$reason"
    pattern="$pattern|^$name\$"
  done < <(left_out)
  while read -r name reason; do
    printf 'left out  %s: %s\n' "$name" "$reason"
    patterns=$patterns:$name
  done < <(left_out_of_programs)
  GTEST_FILTER=-${patterns#:} run_ctest arm64 --exclude-regex "${pattern#|}" "$@"
}

# run_arm64_case MODE: runs one short launch of mlp with the front and its worker, and checks the report.
run_arm64_case() {
  local report=$arm64_tree/mlp-$1.json
  rm -f "$report"
  "$arm64_tree/bin/mpsbench" run --model mlp --device cpu --mode "$1" --batch-size 2 --repeats 1 --threads 2 \
    --max-time 10s --export-json "$report" &&
    "$venv/bin/python" "$root/scripts/dev/lib/arm64_report.py" "$report"
}
