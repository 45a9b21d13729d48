// What comparing needs of a report. Of a launch it keeps one value for each metric that a gate can judge.
#pragma once

#include "schema/report.hpp"
#include "stats/interval.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::report {

struct ComparedLaunch {
  std::int64_t index = 0;   // within its case; launches with the same index form a block of the run
  double step_seconds = 0;  // the median, which is above 0
  std::optional<stats::MedianInterval> step_interval = {};  // that of the launch's samples
  // Metrics other than the step's time, above 0, in the unit of the report's metric.
  std::map<schema::GatedMetric, double> others = {};
  bool is_ok = true;                                // it ended well; others count if they measured enough before
  bool held_copies = false;                         // its resident memory has those of the comparison with a reference
  bool counts_memory = false;                       // the peak memory is the count of the device's allocator
  std::optional<double> cpu_distance_seconds = {};  // as the sensor
  // Together they tell a launch from all others of its case.
  std::string started_at{};
  double wall_seconds = 0;

  // Returns nullopt if the launch cannot have it.
  [[nodiscard]] std::optional<double> value(schema::GatedMetric metric) const;
};

// The values of the first good launch. They are nullopt if there is no GPU, or if its driver does not report them.
struct GpuClock {
  std::optional<double> hertz;  // the mean
  std::optional<bool> is_set_by_hand;
};

struct ComparedCase {
  std::string id;
  std::string definition_sha256;
  schema::CaseSpec spec;
  schema::Status status = schema::Status::ok;
  std::optional<schema::Failure> failure;
  std::vector<ComparedLaunch> launches;    // those that count and have a time
  std::int64_t launches_set_aside = 0;     // good ones that do not count, because they were disturbed
  std::int64_t launches_without_time = 0;  // good ones without samples or with a median of 0
  // For metrics that a launch lacks: why the first such launch lacks it, and what to do about it.
  std::map<schema::GatedMetric, std::string> why_missing;
  // The time that ratios compare: the geometric mean of the launches, or the published time.
  std::optional<double> step_seconds;
  std::optional<schema::Interval> ci95;                   // of the launches' medians, or as published
  std::optional<double> published_first_token_seconds{};  // the mean
  bool is_founded = true;                                 // the stored median and interval follow from the samples
  std::vector<std::string> flags;
  std::optional<double> threshold;             // the one that its run asked for
  std::vector<schema::GateOn> gate_on;         // what its run asked to judge; empty: the step time
  std::optional<double> max_launch_seconds;    // limit of the measuring time
  std::map<std::string, std::string> backend;  // the settings in effect in the first good launch
  GpuClock gpu_clock;
  // The threads that worked in the first good launch, "2 on 1 CPU"; empty: not known.
  std::string working_threads{};

  std::optional<schema::Published> published;  // if set, there are no launches

  [[nodiscard]] bool has_flag(std::string_view flag) const;
  // The mean that a comparison shows: of the launches that have METRIC, or the published time.
  [[nodiscard]] std::optional<double> value(schema::GatedMetric metric) const;
  // The logarithms of the values of the launches that have METRIC, in their order.
  [[nodiscard]] std::vector<double> logs(schema::GatedMetric metric) const;
};

struct ComparedReport {
  std::string file;
  std::string run_id;
  std::string started_at;
  std::vector<std::string> argv;
  schema::RunStatus run_status = schema::RunStatus::complete;
  schema::ToolInfo tool;
  schema::HostInfo host;
  std::vector<ComparedCase> cases;
  std::size_t unfounded = 0;  // cases whose stored step does not follow from their samples

  // Whether any of its figures were published by others.
  [[nodiscard]] bool is_published() const;
};

// Returns the name of each report's host. Several runs of one host also have what tells them apart: their
// dates, otherwise their commits, otherwise their files: "epyc-9, 2026-11-22".
[[nodiscard]] std::map<const ComparedReport*, std::string> report_names(
    const std::vector<const ComparedReport*>& reports);

// Messages call the report FILE.
[[nodiscard]] ComparedReport compared_of(const schema::Report& report, const std::string& file);

// Throws Error(usage) if the file is not a report. Keys of a newer version are ignored, as base::UnknownKeys says.
[[nodiscard]] ComparedReport read_compared_report(const std::filesystem::path& path);
// Reads the same from TEXT; FILE is its name in messages.
[[nodiscard]] ComparedReport parse_compared_report(std::string_view text, const std::string& file);

}  // namespace mpsbench::report
