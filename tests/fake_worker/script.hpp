// Scripts for the fake worker. MPSBENCH_FAKE_SESSION is the path of a JSON file, or the JSON itself (if it
// starts with [ or {). Without this variable, the script is ["normal"].
//
// A script is a list of actions, or an object
//   {"counter": FILE,        every start of a launch appends "CASE\n", so that a test can see the order
//    "read_request": false,  the worker does not read stdin; then no action may need the case
//    "rules": [{"case": TEXT, "threads": T, "launch": N, "actions": [...]}, ...]}
// The worker plays the first rule that matches, or ["normal"] if none does. TEXT (optional) must be part of
// "model/mode/device/bN/precision/engine/dataset", for example "/b64/". T (optional) is the case's number of threads. N
// (optional) counts the starts of this case from 1, and needs the counter. The worker answers a probe with ["probe"],
// unless a rule has the case "probe". A worker that connects fronts has the case "rendezvous".
//
// Actions, "name" or {"name": ARGUMENT}:
//   normal        hello, all phases, one progress event and the result; takes the argument of "result"
//   hello         {"protocol": N} sends a wrong protocol version, {"libtorch": TEXT} another LibTorch version
//   phase         TEXT, the phase to enter
//   gpu           the PCI bus id of the GPU that the worker says it opens
//   progress      number of samples so far
//   part          a part of the launch, with the samples of "result" (none by default) and {"epochs": N} of a
//                 second each
//   result        {"samples": 64, "step_seconds": S, "spread": 0.01, "drift": 0, "slow_share": 0,
//                 "status": "ok", "working_threads": {"count": N, "cpus": TEXT}}: window i of n takes S * (1
//                 + spread * u) * (1 + drift * i/n), where u is in -1 ... 1 and the same in every run. The
//                 last slow_share of the windows take twice that. By default, S is 1 ms per row in training
//                 and 0.4 ms in inference. A rank that trains says that a tenth of each step waits for
//                 gradients
//   failure       {"status", "kind", "message", "detail"}
//   fits          N: normal up to this batch size, out of memory above it
//   probe         hello and the answer to a probe: a usable cpu without tf32 and graphs; {"version": TEXT,
//                 "git_commit": TEXT} answers as another build, {"gpus": N} has N usable NVIDIA GPUs,
//                 {"threads": {"count": N, "cpus": TEXT}} are those that work, by default all that are asked
//                 for
//   line, raw     writes TEXT to the event descriptor, with (line) or without (raw) a line break
//   flood         {"stream": "stdout" | "stderr" | "events", "text": TEXT, "count": N} writes TEXT N times
//   sleep         waits this number of seconds
//   signal        sends itself "ABRT", "SEGV", "KILL", "STOP" or "TERM"
//   pause         stops itself with SIGSTOP, and goes on after this number of seconds
//   exit          exits with this code
//   hang          waits for ever
//   ignore_term   ignores SIGTERM from now on
//   grandchild    starts a process that ignores SIGTERM and keeps all descriptors; {"pid_file": FILE} puts it
//                 in a separate process group
//   close_events  closes the event descriptor
//   write_file    {"path", "text"}; the text "$pid" means the process id, "$descriptors" the open
//   descriptors,
//                 "$cpus" the CPUs that it may use
//   allocate      allocates and touches this number of bytes
#pragma once

#include "schema/messages.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace mpsbench::fake_worker {

struct Script {
  std::optional<schema::Request> request;
  nlohmann::json actions;
};

// Reads the environment and, unless the script says otherwise, the request. Throws if the script is not valid.
[[nodiscard]] Script read_script();

}  // namespace mpsbench::fake_worker
