// Runs a plan launch by launch: order, cooldown, journal, and no larger batch after one that ran out of
// memory.
#pragma once

#include "schema/messages.hpp"
#include "schema/report.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/journal.hpp"
#include "supervise/launch_runner.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace mpsbench::supervise {

// Where a run stands; launches are counted over the whole plan, those of an earlier session included.
struct RunPosition {
  std::size_t case_index = 0;     // in the plan
  std::int64_t launch_index = 0;  // of its case
  std::size_t done = 0;           // launches finished or skipped so far
  std::size_t total = 0;
};

class RunListener : public LaunchListener {
 public:
  virtual void on_launch_start(const RunPosition& /*position*/) {}
  // DONE of the position counts this launch. Skipped launches end without a start.
  virtual void on_launch_end(const RunPosition& /*position*/, const schema::Launch& /*launch*/) {}
};

// Makes what the worker is sent for one case.
using RequestMaker = std::function<schema::LaunchRequest(const schema::PlannedCase&)>;

enum class RunEnd { complete, interrupted, journal_failed, other_libtorch };

// A run of the plan by one worker program. What it points at must outlive it.
struct Arm {
  schema::RunRecord* record = nullptr;
  Journal* journal = nullptr;
  std::filesystem::path worker;
  RequestMaker make_request;
};

// Runs what the ARMS' records lack and adds it there (libtorch too, when the first worker speaks); each
// launch is in its journal before the next starts. Several arms have one plan and seed, and take turns:
// launch by launch, each time the other first. To resume, drop_unfinished(record) first. A journal that can
// no longer be written ends the run with a warning (exit code 5); the record still holds everything; so does
// a worker of another LibTorch than its record's, whose launch is not recorded (exit code 2). Whatever
// make_request throws passes through.
RunEnd run_plan(const std::vector<Arm>& arms, RunListener& listener, Interrupt& interrupt);

}  // namespace mpsbench::supervise
