// The runs that take turns, each with its journal: one, or two with --versus.
#pragma once

#include "schema/report.hpp"
#include "supervise/journal.hpp"

#include <filesystem>
#include <vector>

namespace mpsbench::run {

// A run of one plan by one worker.
struct Contender {
  schema::RunRecord* record = nullptr;
  std::filesystem::path worker;
};

struct Side {
  Contender contender;
  supervise::Journal journal;
  std::filesystem::path report;
};

// With a new journal each, or none of them. At REPORT if IS_NAMED by the user; else runs that begin in the
// same second take REPORT, REPORT-2, ... Throws Error(usage).
[[nodiscard]] std::vector<Side> open_sides(const std::filesystem::path& report, bool is_named,
                                           const std::vector<Contender>& contenders);

}  // namespace mpsbench::run
