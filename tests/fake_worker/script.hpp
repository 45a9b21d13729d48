// Scripts for the fake worker, in MPSBENCH_FAKE_SESSION: a JSON file's path, or the JSON itself (it begins
// with [ or {). Without it the session is ["normal"].
//
// A script is a list of actions, or an object
//   {"counter": FILE,        every start of a launch appends "CASE\n", so that a test sees the order
//    "read_request": false,  never reads stdin; then only actions that need no case may follow
//    "rules": [{"case": TEXT, "launch": N, "actions": [...]}, ...]}
// whose first rule that fits is played, else ["normal"]. TEXT (may be left out) must be part of
// "model/mode/device/bN/precision/engine/dataset", as "/b64/" is. N (may be left out) counts the starts of
// this case from 1, and needs the counter. A probe is answered as by ["probe"] unless a rule has the case
// "probe".
//
// Actions, "name" or {"name": ARGUMENT}:
//   normal        hello, all phases, one progress event and the result, whose argument it takes
//   hello         {"protocol": N} to lie about the version, {"libtorch": TEXT} about LibTorch's
//   phase         TEXT
//   gpu           the PCI bus id of the GPU that it says to open
//   progress      number of samples so far
//   result        {"samples": 64, "step_seconds": S, "spread": 0.01, "drift": 0, "slow_share": 0,
//                 "status": "ok"}: window i of n takes S * (1 + spread * u) * (1 + drift * i/n), u in
//                 -1 ... 1 the same in every run, and twice that in the last slow_share of the windows.
//                 S is 1 ms a row in training, 0.4 ms in inference
//   failure       {"status", "kind", "message", "detail"}
//   fits          N: normal up to this batch size, out of memory above
//   probe         hello and the answer to a probe: a usable cpu without tf32 and graphs
//   line, raw     TEXT on the event descriptor, with or without a line break
//   flood         {"stream": "stdout" | "stderr" | "events", "text": TEXT, "count": N}: TEXT, N times
//   sleep         seconds
//   signal        "ABRT", "SEGV", "KILL" or "TERM" to itself
//   exit          code
//   hang          for ever
//   ignore_term   from now on
//   grandchild    leaves one that ignores SIGTERM and keeps all descriptors; {"pid_file": FILE} puts it in a
//                 group of its own
//   close_events  hangs up
//   write_file    {"path", "text"}; the text "$pid" is the process's number, "$descriptors" its open ones
//   allocate      bytes, touched
#pragma once

#include "schema/messages.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace mpsbench::fake_worker {

struct Script {
  std::optional<schema::Request> request;
  nlohmann::json actions;
};

// Reads the environment and, unless the script says otherwise, the request. Throws for a script that is not
// one.
[[nodiscard]] Script read_script();

}  // namespace mpsbench::fake_worker
