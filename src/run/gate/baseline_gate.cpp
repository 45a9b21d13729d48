#include "run/gate/baseline_gate.hpp"

#include "base/hex.hpp"
#include "base/log.hpp"
#include "base/mapped_file.hpp"
#include "output/console/summary_words.hpp"
#include "report/compare/case_pairs.hpp"
#include "report/compare/comparability.hpp"
#include "report/compare/compared_report.hpp"
#include "report/host/privacy.hpp"
#include "report/metrics/assemble.hpp"
#include "run/plan/report_file.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;
using report::ComparedReport;

ComparedReport read_baseline(const std::string& file) {
  std::string remark;
  ComparedReport baseline = read_compared_file(file, remark);
  if (!remark.empty()) base::log::warn(remark);
  if (!baseline.is_published()) return baseline;
  throw base::Error(base::ErrorKind::not_comparable,
                    "--baseline: " + file +
                        " holds published figures, which have no launches to draw a verdict from; use "
                        "mpsbench compare to show them next to the report");
}

std::string sha256_of(const fs::path& file) {
  return base::sha256_hex(base::MappedFile(file).text());
}

schema::GateInfo with_baseline(schema::GateInfo gate, const std::string& file) {
  const std::string path = fs::absolute(file).lexically_normal().string();
  gate.baseline = schema::BaselineFile{report::hide_home(path), sha256_of(file)};
  return gate;
}

// Returns the gate of RECORD, which was read from FILE.
schema::GateInfo recorded_gate(const schema::RunRecord& record, const fs::path& file) {
  if (record.run.gate && record.run.gate->baseline) return *record.run.gate;
  throw base::usage_error("--resume: " + file.string() +
                          ": $.run.purpose is baseline, but $.run.gate names no baseline");
}

ComparedReport reread_baseline(const schema::BaselineFile& baseline) {
  const std::string path = report::expand_home(baseline.path);
  const bool is_there = fs::is_regular_file(path);
  if (!is_there || sha256_of(path) != baseline.sha256)
    throw base::Error(base::ErrorKind::not_comparable,
                      "--resume: the run's baseline " + path +
                          (is_there ? " has changed since the run started (SHA-256)" : " no longer exists"));
  return read_baseline(path);
}

ComparedReport planned_run(const schema::RunRecord& record) {
  return report::compared_of(report::assemble(record), "this run");
}

// The pairs of the baseline's cases and the run's.
std::vector<report::CasePair> full_pairs(const ComparedReport& baseline, const ComparedReport& now) {
  std::vector<report::CasePair> pairs = report::case_pairs(baseline, now);
  std::erase_if(pairs, [](const auto& pair) { return pair.before == nullptr || pair.after == nullptr; });
  return pairs;
}

// Removes the baseline's cases that RECORD does not run.
void keep_planned(ComparedReport& baseline, const schema::RunRecord& record) {
  const ComparedReport now = planned_run(record);
  std::set<std::string> planned;
  for (const report::CasePair& pair : full_pairs(baseline, now)) planned.insert(pair.before->id);
  std::erase_if(baseline.cases, [&](const report::ComparedCase& old) { return !planned.contains(old.id); });
}

// Makes launches as long as the baseline's. Otherwise results could differ only because launches are shorter
// or longer.
void take_launch_times(const ComparedReport& baseline, schema::RunRecord& record) {
  const ComparedReport now = planned_run(record);
  for (const report::CasePair& pair : full_pairs(baseline, now)) {
    const auto planned = std::ranges::find(record.run.planned, pair.after->id, &schema::PlannedCase::id);
    if (planned == record.run.planned.end()) continue;
    planned->measure.max_time_seconds = pair.before->max_launch_seconds.value_or(planned->measure.max_time_seconds);
  }
}

void require_common_case(const ComparedReport& baseline, const ComparedReport& now) {
  if (!full_pairs(baseline, now).empty()) return;
  throw base::Error(base::ErrorKind::not_comparable,
                    "--baseline: " + baseline.file + " has none of this run's cases. " +
                        output::nearest_words(baseline, now) + " --export-json " + baseline.file);
}

}  // namespace

BaselineGate::BaselineGate(const Options& options)
    : Gate(options.gate), baseline_(read_baseline(options.baseline)), has_own_max_time_(options.has_own_max_time) {
  info_ = with_baseline(options.gate, options.baseline);
}

BaselineGate::BaselineGate(const schema::RunRecord& record, const fs::path& file)
    : Gate(recorded_gate(record, file)), baseline_(reread_baseline(info_.baseline.value())) {
  keep_planned(baseline_, record);
}

void BaselineGate::prepare(schema::RunRecord& record) {
  record.run.gate = info_;
  const ComparedReport planned = planned_run(record);
  require_common_case(baseline_, planned);
  if (!info_.force && !report::same_machine(baseline_, planned))
    throw base::Error(base::ErrorKind::not_comparable,
                      "--baseline: " + baseline_.file + " (" + baseline_.host.name +
                          ") is not from this machine and device (" + planned.host.name +
                          "); if it is, give its name with --host-name, or use --force to compare anyway");
  (void)notes(baseline_, planned);  // throws for known differences before anything runs
  keep_planned(baseline_, record);
  take_launch_times(baseline_, record);
  if (has_own_max_time_) base::log::warn("--max-time is ignored: launches last as long as the baseline's");
}

ComparedReport BaselineGate::before(const schema::Report& /*other*/) const {
  return baseline_;
}

}  // namespace mpsbench::run
