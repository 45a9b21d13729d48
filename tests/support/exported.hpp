// A small report for the tests of exports.
#pragma once

#include "support/sample_run.hpp"

#include <string>

namespace mpsbench::tests {

// Returns a case of two launches, whose steps of 64 rows take 0.25 s and 0.5 s.
inline schema::CaseResult measured_case() {
  schema::CaseResult result;
  result.id = "mlp/train/cpu/b64/fp32/eager/synthetic";
  result.spec = sample_spec("mlp", schema::Mode::train, 64);
  result.launches = {good_launch({0.25, 0.25, 0.25}), good_launch({0.5, 0.5, 0.5}, 1)};
  result.metrics.step_seconds.median = 0.375;
  result.metrics.step_seconds.ci95 = schema::Interval{0.25, 0.5};
  result.metrics.rows_per_second = {192.0, schema::Interval{128, 256}};
  result.flags = {"noisy"};
  return result;
}

// Returns a case whose only launch ran out of memory.
inline schema::CaseResult unmeasured_case() {
  schema::CaseResult result;
  result.id = "mlp/train/cpu/b128/fp32/eager/synthetic";
  result.spec = sample_spec("mlp", schema::Mode::train, 128);
  result.launches = {bad_launch(schema::Status::oom, "needs 2 GiB, 1 free")};
  result.status = schema::Status::oom;
  result.failure = schema::Failure{"oom", "needs 2 GiB, 1 free", "line 1\nline 2"};
  return result;
}

inline schema::Report exported_report() {
  schema::RunRecord record = sample_run({}, 2);
  return {record.tool, record.run, record.host, {measured_case(), unmeasured_case()}};
}

// Markup, a formula, terminal escapes, a line break and bytes that are not UTF-8.
inline const std::string kHostile = "=1+1|`</a>\"'\x1b[2J\r\n\xff\u202e&,;";

// Returns a report with hostile texts.
inline schema::Report hostile_report() {
  schema::Report report = exported_report();
  for (schema::CaseResult& result : report.cases) {
    result.id = kHostile + result.id;
    result.spec.model = kHostile;
    result.flags = {kHostile};
  }
  report.cases[1].failure = schema::Failure{kHostile, kHostile, kHostile};
  report.host.name = report.host.cpu.model = report.run.suite = report.run.started_at = kHostile;
  report.host.libtorch.value().version = report.tool.version = report.run.id = kHostile;
  return report;
}

// Whether TEXT contains nothing but line breaks that could control a terminal.
inline bool is_harmless(const std::string& text) {
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r') || c == 0x7F) return false;
  }
  return text.find("\u202e") == std::string::npos && text.find('\xff') == std::string::npos;
}

}  // namespace mpsbench::tests
