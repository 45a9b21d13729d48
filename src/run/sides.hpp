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

// Makes a new journal for each of CONTENDERS; if one cannot be made, none is left. The first is beside
// REPORT. If the user did not name REPORT (IS_NAMED), runs that begin in the same second take REPORT,
// REPORT-2, ... Throws Error(usage).
[[nodiscard]] std::vector<Side> open_sides(const std::filesystem::path& report, bool is_named,
                                           const std::vector<Contender>& contenders);

}  // namespace mpsbench::run
