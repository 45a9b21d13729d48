// A report as comparing needs it: of a launch only its median, and nothing that is not looked at.
#pragma once

#include "schema/report.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::report {

struct ComparedLaunch {
  std::int64_t index = 0;   // of its case: launches of one index form a block of the run
  double step_seconds = 0;  // median, > 0
};

// Of the first good launch; nullopt: no GPU, or one whose driver does not tell.
struct GpuClock {
  std::optional<double> hertz;  // mean
  std::optional<bool> is_set_by_hand;
};

struct ComparedCase {
  std::string id;
  std::string definition_sha256;
  schema::DeviceId device;
  std::int64_t batch_size = 0;
  std::string
      spec_text;  // JSON as written: thousands of specifications would take longer to read than all else
  schema::Status status = schema::Status::ok;
  std::optional<schema::Failure> failure;
  std::vector<ComparedLaunch> launches;    // good ones that have a time
  std::int64_t launches_without_time = 0;  // other good ones: without samples, or their median is 0
  std::optional<double> step_seconds;  // geometric mean of the launches, or as published: what ratios are of
  std::optional<schema::Interval> ci95;  // as the report gives it
  std::vector<std::string> flags;
  std::optional<double> threshold;             // that its run asked for
  std::optional<double> max_launch_seconds;    // of measuring
  std::map<std::string, std::string> backend;  // of the first good launch: what was in force
  GpuClock gpu_clock;

  std::optional<schema::Published> published;  // then there are no launches

  [[nodiscard]] bool has_flag(std::string_view flag) const;
  // Throws Error(usage) for a specification that is none.
  [[nodiscard]] schema::CaseSpec spec() const;
};

struct ComparedReport {
  std::string file;
  std::string run_id;
  std::string started_at;
  schema::RunStatus run_status = schema::RunStatus::complete;
  schema::ToolInfo tool;
  schema::HostInfo host;
  std::vector<ComparedCase> cases;

  // Whether any of its figures are others'.
  [[nodiscard]] bool is_published() const;
};

// Throws Error(usage) for a file that is no report, of another schema version, or wrong in a part that is
// read.
[[nodiscard]] ComparedReport read_compared_report(const std::filesystem::path& path);
// The same of TEXT; FILE names it.
[[nodiscard]] ComparedReport parse_compared_report(std::string_view text, const std::string& file);

}  // namespace mpsbench::report
