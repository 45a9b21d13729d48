// Runs the launches of a run plan one by one: order, cooldown, journal, and no larger batch after one that
// ran out of memory.
#pragma once

#include "schema/report.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/journal.hpp"
#include "supervise/launch_runner.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace mpsbench::supervise {

class LeadingFront;

// The progress of a run. Counts the launches of the whole plan, including those before the run was resumed.
struct RunPosition {
  std::size_t case_index = 0;     // in the plan
  std::int64_t launch_index = 0;  // of its case
  std::size_t done = 0;           // launches finished or skipped so far
  std::size_t total = 0;
};

struct LaunchStarted {
  RunPosition position;
};
// The position's count `done` includes this launch. A skipped launch has an end but no start.
struct LaunchEnded {
  RunPosition position;
  const schema::Launch& launch;
};
struct WorkerSaid {
  const schema::Event& event;
};
using LaunchEvent = std::variant<LaunchStarted, LaunchEnded, WorkerSaid>;
using LaunchSink = std::function<void(const LaunchEvent&)>;

// Makes the request that the worker gets for one case of the record.
using RequestMaker = std::function<schema::LaunchRequest(const schema::RunRecord&, const schema::PlannedCase&)>;

enum class RunEnd { complete, interrupted, time_limit, journal_failed, other_libtorch };

// One worker program working through a run plan. RECORD and LEAD must outlive it.
struct WorkerRun {
  schema::RunRecord* record = nullptr;
  std::filesystem::path worker;
  LeadingFront* lead = nullptr;  // null: no launcher has started other fronts
};

struct JournaledRun {
  WorkerRun run;
  Journal journal;
  std::filesystem::path report;  // replaces the journal at the end of the run
};

// Runs the launches that the records of RUNS lack and adds them there, also LibTorch's version when the first worker
// reports it. Each launch is in its journal before the next starts. Several runs share one plan and seed and take
// turns, launch by launch, and each time another one goes first. To resume, call drop_unfinished(record) first. The run
// ends with a warning if a journal can no longer be written, although the record still holds everything, and if a
// worker's LibTorch differs from the one in its record; that launch is not recorded. From ENDS_AT on, by the steady
// clock, no launch starts; runs that take turns then have equally many. Exceptions of MAKE_REQUEST pass through.
RunEnd run_launches(std::vector<JournaledRun>& runs, const RequestMaker& make_request, const LaunchSink& show,
                    Interrupt& interrupt, std::optional<double> ends_at = {});

}  // namespace mpsbench::supervise
