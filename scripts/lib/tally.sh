# Counts what passed and what failed. A check counts as one; a run of ctest counts each of its tests.
passed=0 failed=0 failures=

# check NAME COMMAND...: runs COMMAND and counts it. Shows its output only if it fails.
check() {
  local name=$1 output status=0 started=$SECONDS
  shift
  output=$("$@" 2>&1) || status=$?
  if [ "$status" -eq 0 ]; then
    passed=$((passed + 1))
    printf 'passed  %s (%d s)\n' "$name" $((SECONDS - started))
  else
    printf '%s\n' "$output" | tail -n 200
    note_failure "$name"
  fi
  return "$status"
}

note_failure() {
  failed=$((failed + 1))
  failures=$failures$'\n'"  $1"
  printf 'FAILED  %s\n' "$1"
}

# run_ctest PRESET [CTEST ARGUMENTS]: runs the tests of a built tree and adds their counts, also those inside programs of
# GoogleTest. A caller may set test_launcher to a command that is to start ctest.
run_ctest() {
  local preset=$1 results=$root/build/$1/${results_name:-test}-results.xml status=0 total=0 bad=0 skipped=0 name count
  shift
  rm -f "$results"
  (cd "$root" && ${test_launcher:-} "${cmake%/*}/ctest" --preset "$preset" -j "$(job_count)" --output-junit "$results" \
    --test-output-size-passed 100000 "$@") || status=$?
  if [ -f "$results" ]; then
    total=$(junit_count tests "$results") bad=$(junit_count failures "$results")
    skipped=$(($(junit_count skipped "$results") + $(junit_count disabled "$results")))
  fi
  if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then note_failure "ctest of $preset (status $status)"; fi
  passed=$((passed + total - bad - skipped)) failed=$((failed + bad))
  for count in $(googletest_counts PASSED "$results"); do passed=$((passed + count - 1)); done
  for count in $(googletest_counts SKIPPED "$results"); do skipped=$((skipped + count)); done
  while IFS= read -r name; do
    [ -z "$name" ] || failures=$failures$'\n'"  $preset: $name"
  done < <(sed -n 's/.*<testcase name="\([^"]*\)".*status="fail".*/\1/p' "$results" 2>/dev/null)
  if [ "$skipped" -gt 0 ]; then printf '%d tests of %s were skipped\n' "$skipped" "$preset"; fi
}

junit_count() { sed -n "/^[[:space:]]*$1=\"/{s/[^\"]*\"\([0-9]*\)\".*/\1/p;q;}" "$2"; }

# googletest_counts PASSED|SKIPPED RESULTS: prints a count for each program that has such tests.
googletest_counts() { sed -n "s/.*\[  $1 *\] \([0-9]*\) test.*/\1/p" "$2" 2>/dev/null || true; }

# run_script NAME COMMAND...: runs a script that ends with finish_tally and shows its output. Adds the counts of its last
# line, "N passed, N failed", and its list of failures.
run_script() {
  local name=$1 status=0 output=$root/build/script.log last named=
  shift
  printf '\n== %s\n' "$name"
  "$@" 2>&1 | tee "$output" || status=$?
  last=$(tail -n 1 "$output")
  case $last in
    *' passed, '*' failed')
      passed=$((passed + ${last%% passed*})) failed=$((failed + $(echo "$last" | sed 's/.*, \([0-9]*\) failed/\1/')))
      [ "$status" -ne 0 ] || return 0
      named=$(sed -n "/^failed:\$/,\$s|^  |  $name, |p" "$output")
      ;;
  esac
  if [ -n "$named" ]; then failures=$failures$'\n'$named; else note_failure "$name (status $status)"; fi
}

# Prints the failures and the counts, and returns the exit status of the whole script.
finish_tally() {
  if [ -n "$failures" ]; then printf '\nfailed:%s\n' "$failures"; fi
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
}
