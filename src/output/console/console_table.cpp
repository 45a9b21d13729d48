#include "output/console/console_table.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "model/build_network_plan.hpp"
#include "output/console/case_words.hpp"
#include "output/console/run_remarks.hpp"
#include "output/text/cases.hpp"
#include "output/text/columns.hpp"
#include "output/text/figures.hpp"
#include "output/text/text.hpp"
#include "report/host/variables.hpp"
#include "report/metrics/metrics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

namespace mpsbench::output {

namespace {

using schema::CaseResult;

std::string percent(double share) {
  return fmt::format("±{} %", base::format_significant(share * 100, 2));
}

constexpr std::size_t kWidestCell = 100;  // so that the reason of a failure fits

// Returns 0 if nothing was measured.
double rate_of(const CaseResult& result) {
  return report::speed_of(result.spec, result.metrics).value.value_or(0);
}

bool is_good(const CaseResult& result) {
  return result.status == schema::Status::ok && rate_of(result) > 0;
}

bool is_same_question(const CaseResult& a, const CaseResult& b) {
  return is_good(a) && is_good(b) && model_text(a.spec) == model_text(b.spec) && a.spec.mode == b.spec.mode;
}

// Of the cases that generate or of the others, returns the fastest case of the first network that trains, because
// people ask about training most. If no network trains, returns the fastest case of the first network.
const CaseResult* most_telling(const schema::Report& report, bool generates) {
  const CaseResult* chosen = nullptr;
  for (const CaseResult& result : report.cases) {
    if (!is_good(result) || row_of(result.spec.mode).generates != generates) continue;
    const bool trains = row_of(result.spec.mode).trains;
    if (chosen == nullptr || (trains && !row_of(chosen->spec.mode).trains)) chosen = &result;
  }
  if (chosen == nullptr) return nullptr;
  for (const CaseResult& result : report.cases) {
    if (is_same_question(result, *chosen) && rate_of(result) > rate_of(*chosen)) chosen = &result;
  }
  return chosen;
}

// Returns what tells RESULT from the report's other cases of the same model and mode.
std::string where_told(const schema::Report& report, const CaseResult& result) {
  std::vector<schema::CaseSpec> others;
  for (const CaseResult& other : report.cases) {
    if (is_same_question(other, result)) others.push_back(other.spec);
  }
  return distinguishing_words(result.spec, others);
}

// Returns what the fastest cases on the other devices reach: " The fastest on cpu is 2.4 times slower."
std::string other_devices(const schema::Report& report, const CaseResult& chosen) {
  std::map<schema::DeviceId, double> rates;
  for (const CaseResult& result : report.cases) {
    if (!is_same_question(result, chosen) || result.spec.device == chosen.spec.device) continue;
    double& rate = rates[result.spec.device];
    rate = std::max(rate, rate_of(result));
  }
  std::string text;
  for (const auto& [device, rate] : rates)
    text += fmt::format(" The fastest on {} is {}.", to_string(device), speed_words(rate / rate_of(chosen)));
  return text;
}

// Returns " Of a step, 31 % is forward pass, 62 % backward pass and 7 % update.", or an empty text if the
// parts are not known. They come from a few steps, so a noisy case shows nothing.
std::string parts_told(const CaseResult& result) {
  if (has_flag(result, "noisy")) return "";
  const schema::Metrics& metrics = result.metrics;
  const double forward = metrics.forward_seconds.value_or(0);
  const double backward = metrics.backward_seconds.value_or(0);
  const double update = metrics.update_seconds.value_or(0);
  const double whole = forward + backward + update;
  if (!(whole > 0)) return "";
  return fmt::format(" Of a step, {:.0f} % is forward pass, {:.0f} % backward pass and {:.0f} % update.",
                     forward / whole * 100, backward / whole * 100, update / whole * 100);
}

// Returns "resnet50 trains 227 images a second".
std::string rate_words(const CaseResult& result, const InputUnit& unit) {
  return fmt::format("{} {} {} {} a second", model_text(result.spec), row_of(result.spec.mode).verb,
                     format_rate(rate_of(result) * unit.each, 3), unit.word);
}

// Returns a line for each reason of a failure that the table cuts off, because its end says what to do. A run
// itself names why a case was not supported.
std::string cut_reasons(const schema::Report& report) {
  constexpr std::size_t kStatusWords = 16;  // "out of memory (" and ")"
  std::string text;
  std::set<std::string> told;
  for (const CaseResult& result : report.cases) {
    if (!result.failure || result.status == schema::Status::ok || result.status == schema::Status::unsupported)
      continue;
    const std::string& message = result.failure->message;
    if (display_width(message) > kWidestCell - kStatusWords && told.insert(message).second)
      text += printable(result.id + ": " + message) + "\n";
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string plain_lines(const schema::Report& report) {
  std::string text;
  for (const CaseResult& result : report.cases) {
    std::string device = to_string(result.spec.device);
    std::ranges::transform(device, device.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (const auto& seconds = result.metrics.loop_seconds) {
      text += fmt::format("{} Time: {:.4f} seconds\n", device, *seconds);
    } else if (result.failure && result.failure->message.find("device not found") != std::string::npos) {
      text += device + " device not found.\n";
    } else {
      text += device + ": " + printable(failure_words(result.status, result.failure)) + "\n";
    }
  }
  return text;
}

std::string calibration_table(const std::vector<report::CalibratedCase>& cases) {
  Grid grid{{"case", "launches per run", "launch spread", "run spread", "two equal runs differ by up to"},
            {false, true, true, true, true}};
  const std::vector<std::string> names = short_names(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& spread = cases[i].spread;
    const std::int64_t launches = cases[i].launches;
    grid.rows.push_back({{names[i], base::format_count(launches), spread ? percent(spread->launch) : kNone,
                          spread ? percent(spread->run) : kNone,
                          spread ? percent(spread->between(launches, launches)) : "too few good launches"},
                         spread ? Paint::none : Paint::remark});
  }
  return aligned(grid, false) +
         "Spreads are standard deviations; the last column holds for 99 of 100 pairs of runs. If you compare "
         "reports\nof this machine with as many launches each, smaller changes of these cases are "
         "undecided.\n";
}

std::string header_line(const schema::ToolInfo& tool, const schema::HostInfo& host, const std::string& device) {
  const std::int64_t cores = host.cpu.physical_cores.value_or(host.cpu.logical_cores);
  std::string line = fmt::format("{} {} · {}, {}, {:.0f} GB · {} {} {}", tool.name, tool.version, host.cpu.model,
                                 base::counted(cores, "core", "cores"),
                                 std::round(static_cast<double>(host.memory_bytes) / base::kBytesPerGibibyte),
                                 host.os.name, host.os.version, host.os.arch);
  if (host.libtorch) line += " · LibTorch " + host.libtorch->version;
  line += " · device " + device;
  for (const auto& [name, value] : host.environment) {
    if (name.starts_with("PYTORCH_") || report::find_slow_variable(name, value) != nullptr)
      line += fmt::format(" · {}={}", name, value);
  }
  return printable(line);
}

InputUnit input_unit(const schema::Report& report, const CaseResult& result) {
  if (row_of(result.spec.mode).generates) return {"tokens"};
  try {
    const schema::NetworkPlan plan = model::case_network_plan(report.run, result.definition_sha256, result.spec);
    if (plan.inputs.empty()) return {};
    const bool is_of_tokens = plan.target_shape.size() > 1;  // its loss is, too
    if (const auto tokens = schema::tokens_per_row(result.spec); tokens && is_of_tokens)
      return {"tokens", static_cast<double>(*tokens)};
    if (plan.inputs.front().dtype == schema::DType::int64) return {"sentences"};
    return {plan.inputs.front().shape.size() == 4 ? "images" : "rows"};
  } catch (const base::Error&) {
    return {};  // the definition may come from a later release
  }
}

std::string console_table(const schema::Report& report, bool colour) {
  return aligned(report_grid(report, kWidestCell), colour);
}

std::string summary_sentence(const schema::Report& report) {
  const CaseResult* generating = most_telling(report, true);
  const CaseResult* other = most_telling(report, false);
  const CaseResult* result = other != nullptr ? other : generating;
  if (result == nullptr)
    return std::ranges::any_of(report.cases, [](const CaseResult& one) { return rate_of(one) > 0; })
               ? "No case was measured without a failure."
               : "No case was measured.";
  const schema::ModeRow& mode = row_of(result->spec.mode);
  const InputUnit unit = input_unit(report, *result);
  std::string sentence = rate_words(*result, unit) + " here" + where_told(report, *result);
  const schema::EpochMetric& epoch = result->metrics.epoch_seconds;
  if (epoch.value && *epoch.value > 0)
    sentence += fmt::format(": {} {}{} takes {} ({})", mode.reads_all ? "a pass over" : "an epoch of",
                            base::format_count(result->spec.rows), unit.each == 1 ? "" : " rows",
                            with_interval(*epoch.value, epoch.ci95), epoch.kind);
  if (other != nullptr && generating != nullptr)
    sentence += "; " + rate_words(*generating, input_unit(report, *generating)) + where_told(report, *generating);
  sentence += "." + other_devices(report, *result) + parts_told(*result);
  std::vector<std::string> flags;
  std::ranges::remove_copy_if(result->flags, std::back_inserter(flags), is_told_in_words);
  if (!flags.empty()) sentence += " Flagged " + listed(flags, {", "}) + ".";
  if (has_flag(*result, "input-bound")) {
    sentence += fmt::format(" Steps spend {} % of their time waiting for their batches (input-bound).",
                            base::format_significant(result->metrics.data_wait_share.value_or(0) * 100, 2));
  }
  if (has_flag(*result, "launch-bound")) {
    sentence += " The device waits for the host to queue its work (launch-bound): try a larger batch";
    const bool can_replay = !row_of(result->spec.engine).captured && !mode.generates &&
                            result->spec.device.kind == schema::DeviceKind::cuda;
    const bool is_compiled = row_of(result->spec.engine).packaged;
    sentence += can_replay ? fmt::format(" or --engine {}.", is_compiled ? "compiled-graph" : "graph") : ".";
  }
  return printable(sentence);
}

std::string console_report(const schema::Report& report, bool colour) {
  std::string text = console_table(report, colour) + "\n" + cut_reasons(report);
  for (const std::string& line : training_lines(report)) text += printable(line) + "\n";
  text += summary_sentence(report) + "\n";
  for (const std::string& line : scaling_sentences(report)) text += printable(line) + "\n";
  const std::string remarks = run_remarks(report);
  return remarks.empty() ? text : text + printable(remarks) + "\n";
}

}  // namespace mpsbench::output
