#include "base/error.hpp"
#include "base/units.hpp"
#include "output/console/case_words.hpp"
#include "output/console/comparison_table.hpp"
#include "output/console/console_table.hpp"
#include "output/console/machines_table.hpp"
#include "output/console/run_remarks.hpp"
#include "output/page/page_view.hpp"
#include "output/text/cases.hpp"
#include "output/text/figures.hpp"
#include "output/text/text.hpp"
#include "report/metrics/metrics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

namespace mpsbench::output {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kMostRatios = 20'000;  // of all references
constexpr std::size_t kMostNamed = 3;

std::vector<report::Speed> speeds_of(const PageReports& page, const std::vector<report::PairSpeed>& pairs,
                                     std::optional<schema::Mode> mode, std::size_t machine) {
  std::vector<report::Speed> speeds;
  for (const report::PairSpeed& pair : pairs) {
    if (!mode || page.table.rows[pair.row].cells[machine].result->spec.mode == *mode) speeds.push_back(pair.speed);
  }
  return speeds;
}

// Returns "trains 960 times and infers 730 times as fast as REFERENCE".
std::string deeds(const PageReports& page, const std::vector<report::PairSpeed>& pairs, std::size_t faster,
                  std::size_t slower) {
  constexpr std::string_view kAsFast = " as fast";
  Words does;
  Words words;
  Words than;  // with the slower machine's name
  for (const schema::ModeRow& mode : schema::ClosedSet<schema::Mode>::kRows) {
    const auto speeds = report::speeds_over(page.table.columns[faster], speeds_of(page, pairs, mode.value, faster));
    if (speeds.speeds.empty()) continue;
    does.emplace_back(mode.does);
    words.push_back(speed_words(speeds.median));
    than.push_back(speed_words(speeds.median, page.machines[slower]));
  }
  if (std::ranges::count(words, words.front()) == std::ssize(words)) return listed(does) + " " + than.front();
  const bool is_alike =
      std::ranges::all_of(words, [&](const std::string& speed) { return speed.ends_with(" times as fast"); });
  for (std::size_t at = 0; at < words.size(); ++at) {
    const bool is_last = at + 1 == words.size();
    if (is_alike && !is_last) words[at].erase(words[at].size() - kAsFast.size());
    if (is_alike ? is_last : at == 0) words[at] = than[at];
    words[at] = does[at] + " " + words[at];
  }
  return listed(words);
}

std::string pair_sentence(const PageReports& page, std::size_t faster, std::size_t slower) {
  const auto pairs = report::pair_speeds(page.table, slower, faster);
  const auto all = report::speeds_over(page.table.columns[faster], speeds_of(page, pairs, std::nullopt, faster));
  const std::string lead = page.machines[faster] + " " + deeds(page, pairs, faster, slower);
  const std::string ends = times_text(all.least) == times_text(all.most) ? "" : ", " + range_words(all);
  std::set<schema::Mode> modes;
  for (const report::PairSpeed& pair : pairs) modes.insert(page.table.rows[pair.row].cells[faster].result->spec.mode);
  if (pairs.size() > 1 && modes.size() == pairs.size()) return lead + ", in one shared case each.";
  if (pairs.size() > 1) return fmt::format("{}, in the median of {} shared cases{}.", lead, pairs.size(), ends);
  const report::Speed& speed = pairs.front().speed;
  return fmt::format("{}, in the one shared case ({}).", lead,
                     speed.within_launch ? "one launch" : interval_text(speed.value, speed.ci95));
}

// The faster of the reference and its fastest other machine is the sentence's subject.
std::string answer_of(const PageReports& page, const PageReference& reference) {
  const PageSpeeds& best = reference.others.front();
  return best.all.median >= 1 ? pair_sentence(page, best.machine, reference.machine)
                              : pair_sentence(page, reference.machine, best.machine);
}

PageReference reference_of(const PageReports& page, std::size_t machine) {
  PageReference reference{machine, {}, ""};
  for (std::size_t other = 0; other < page.machines.size(); ++other) {
    if (other == machine) continue;
    auto pairs = report::pair_speeds(page.table, machine, other);
    if (pairs.empty()) continue;
    auto all = report::speeds_over(page.table.columns[other], speeds_of(page, pairs, std::nullopt, other));
    reference.others.push_back({other, std::move(pairs), std::move(all)});
  }
  std::ranges::stable_sort(reference.others, std::greater<>(), [](const PageSpeeds& one) { return one.all.median; });
  if (!reference.others.empty()) reference.answer = answer_of(page, reference);
  return reference;
}

std::size_t count_of(const PageReference& reference) {
  std::size_t count = 0;
  for (const PageSpeeds& one : reference.others) count += one.pairs.size();
  return count;
}

// The usual reference is that which most machines share cases with; of several the slowest, so that the
// others are so many times as fast.
void put_usual_first(std::vector<PageReference>& references) {
  const auto usual = std::ranges::max_element(references, {}, [](const PageReference& one) {
    return std::pair(one.others.size(), one.others.front().all.median);
  });
  if (usual != references.end()) std::rotate(references.begin(), usual, usual + 1);
}

std::optional<double> rate_of(const schema::CaseResult& result) {
  return report::speed_of(result.spec, result.metrics).value;
}

// Returns the fastest good case of the network of BEST in MODE on its machine.
const PageCase* fastest_of(const PageReports& page, const PageCase& best, schema::Mode mode) {
  const PageCase* found = nullptr;
  for (const PageCase& one : page.cases) {
    const schema::CaseResult& result = page.result(one);
    if (!one.is_fastest || one.machine != best.machine || result.status != schema::Status::ok ||
        result.spec.mode != mode || model_text(result.spec) != model_text(page.result(best).spec))
      continue;
    if (found == nullptr || rate_of(result) > rate_of(page.result(*found))) found = &one;
  }
  return found;
}

// Returns the case that a page of machines without shared cases tells of: of those that generate or of the others, the
// first that trains or, if none does, the first.
const PageCase* headline(const PageReports& page, bool generates) {
  const PageCase* best = nullptr;
  for (const PageCase& one : page.cases) {
    const schema::CaseResult& result = page.result(one);
    if (!one.is_fastest || result.status != schema::Status::ok || has_flag(result, "diverged") ||
        row_of(result.spec.mode).generates != generates)
      continue;
    const auto trains = [&](const PageCase& two) { return row_of(page.result(two).spec.mode).trains; };
    if (best == nullptr || (trains(one) && !trains(*best))) best = &one;
  }
  return best;
}

// Returns "trains 845 and infers 2,310 images a second (resnet50, batch 32)".
std::string rate_words(const PageReports& page, const PageCase& best) {
  Words parts;
  const PageCase* last = &best;
  const auto unit_of = [&](const PageCase& one) { return input_unit((*page.all)[one.report], page.result(one)); };
  const auto where = [&](const PageCase& one) { return model_text(page.result(one).spec) + ", " + one.name; };
  for (const schema::ModeRow& mode : schema::ClosedSet<schema::Mode>::kRows) {
    const PageCase* one = fastest_of(page, best, mode.value);
    if (one == nullptr || mode.generates != row_of(page.result(best).spec.mode).generates) continue;
    if (!parts.empty() && where(*one) != where(*last)) parts.back() += " (" + where(*last) + ")";
    const double rows = rate_of(page.result(*one)).value_or(0);
    parts.push_back(fmt::format("{} {}", mode.does, format_rate(rows * unit_of(*one).each, 3)));
    last = one;
  }
  return fmt::format("{} {} a second ({})", listed(parts), unit_of(best).word, where(*last));
}

std::string rate_sentence(const PageReports& page) {
  std::string text;
  for (const bool generates : {false, true}) {
    if (const PageCase* best = headline(page, generates))
      text += (text.empty() ? "" : "; ") + page.machines[best->machine] + " " + rate_words(page, *best);
  }
  return text.empty() ? "No case was measured." : text + ".";
}

// Returns the lines of comparison_summary() except those of single undecided cases.
Words verdict_lines(const report::Comparison& comparison) {
  Words lines = lines_of(comparison_summary(comparison));
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("- "); });
  for (std::string& line : lines) {
    if (line.ends_with(':')) line.back() = '.';  // the picture has what follows
  }
  return lines;
}

}  // namespace

std::vector<PageReference> page_references(const PageReports& page) {
  std::vector<PageReference> references;
  for (std::size_t machine = 0; machine < page.machines.size(); ++machine) {
    PageReference one = reference_of(page, machine);
    if (!one.others.empty()) references.push_back(std::move(one));
  }
  put_usual_first(references);
  std::size_t ratios = 0;
  const auto beyond = std::ranges::find_if(references, [&](const PageReference& one) {
    ratios += count_of(one);
    return ratios > kMostRatios;
  });
  if (beyond != references.end()) references.erase(std::max(beyond, references.begin() + 1), references.end());
  return references;
}

std::string page_title(const PageReports& page) {
  if (page.is_gate()) return page.compared.front().host.name + ", before and after";
  if (page.machines.empty()) return page.all->front().host.name;
  if (page.machines.size() <= kMostNamed) return listed(page.machines);
  return base::counted(page.machines.size(), "machine", "machines");
}

std::string page_answer(const PageReports& page, const std::vector<PageReference>& references) {
  if (page.comparison) {
    const Words verdicts = verdict_lines(*page.comparison);
    const auto open = std::ranges::find_if(verdicts, [](const auto& line) { return line.ends_with("undecided."); });
    return verdicts.front() + (open == verdicts.end() ? "" : " " + *open);
  }
  if (page.is_gate()) return "The reports cannot be compared.";
  return references.empty() ? rate_sentence(page) : references.front().answer;
}

Words page_remarks(const PageReports& page) {
  Words remarks;
  if (page.comparison) {
    remarks = verdict_lines(*page.comparison);
    remarks.erase(remarks.begin());
    std::erase_if(remarks, [](const auto& line) { return line.ends_with("undecided."); });
  } else if (page.all->size() > 1 && !page.is_gate() && !page.table.columns.empty()) {
    remarks = unshared_words(report::machine_summary(page.table));
  }
  for (const std::string& one : page.comparability.obstacles) remarks.push_back("Not comparable: " + one);
  if (page.all->size() == 1) {
    const schema::Report& report = page.all->front();
    if (std::string doubts = run_remarks(report); !doubts.empty()) remarks.push_back(std::move(doubts));
    for (const std::string& line : scaling_sentences(report)) remarks.push_back(line);
  }
  return remarks;
}

std::string page_subtitle(const PageReports& page) {
  std::set<std::string> days;
  std::set<std::string> libraries;
  for (const schema::Report& report : *page.all) {
    if (!report.run.started_at.empty()) days.insert(report.run.started_at.substr(0, 10));
    if (report.host.libtorch) libraries.insert(report.host.libtorch->version);
  }
  if (page.comparison) return base::first_line(sides_words(*page.comparison));
  std::string text = base::counted(page.cases.size(), "case", "cases");
  if (page.all->size() > 1) text += fmt::format(" of {} reports", page.all->size());
  if (!days.empty()) text += ", " + *days.begin() + (days.size() > 1 ? " to " + *days.rbegin() : "");
  if (libraries.size() == 1) text += ", LibTorch " + *libraries.begin();
  if (libraries.size() > 1) text += fmt::format(", {} versions of LibTorch", libraries.size());
  return text;
}

}  // namespace mpsbench::output
