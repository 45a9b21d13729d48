#include "output/page/page_reports.hpp"

#include "report/compare/compared_report.hpp"
#include "report/metrics/metrics.hpp"
#include "schema/case_spec.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace mpsbench::output {
namespace {

using report::MachineColumn;
using Words = std::vector<std::string>;

// What people call the device: the maker's name of the accelerator or the CPU, otherwise the host's name.
std::string device_name(const MachineColumn& column) {
  const schema::HostInfo& host = column.report->host;
  const auto found = std::ranges::find(host.accelerators, column.device, &schema::Accelerator::device);
  if (found != host.accelerators.end() && !found->name.empty()) return found->name;
  // "cuda" is the first of "cuda:0" and "cuda:1", and several GPUs of a case are of one kind.
  const auto kind = std::ranges::find_if(host.accelerators, [&](const schema::Accelerator& one) {
    return one.device.kind == column.device.kind && !one.name.empty();
  });
  if (kind != host.accelerators.end()) return kind->name;
  return column.device.row().is_host && !host.cpu.model.empty() ? host.cpu.model : host.name;
}

// What may tell machines of one name apart, the most telling first.
using Describe = std::string (*)(const MachineColumn&);
constexpr Describe kDescriptions[] = {
    [](const MachineColumn& one) { return to_string(one.device); },
    [](const MachineColumn& one) { return one.report->host.name; },
    [](const MachineColumn& one) { return one.report->started_at.substr(0, 10); },
    [](const MachineColumn& one) { return schema::commit_text(one.report->tool); },
    [](const MachineColumn& one) { return std::filesystem::path(one.report->file).stem().string(); }};

// Returns a different text for each of ALL: from one description or, if none is enough, the device and one
// more.
Words apart(const std::vector<const MachineColumn*>& all) {
  for (const bool with_device : {false, true}) {
    for (const Describe describe : kDescriptions) {
      Words texts;
      for (const MachineColumn* one : all)
        texts.push_back((with_device ? to_string(one->device) + ", " : "") + describe(*one));
      const std::set<std::string> different(texts.begin(), texts.end());
      if (different.size() == all.size() && !different.contains("")) return texts;
    }
  }
  Words numbers;
  for (std::size_t at = 0; at < all.size(); ++at) numbers.push_back(fmt::format("no. {}", at + 1));
  return numbers;
}

Words machine_names(const report::MachineTable& table) {
  std::map<std::string, std::vector<const MachineColumn*>> alike;
  for (const MachineColumn& column : table.columns) alike[device_name(column)].push_back(&column);
  Words names(table.columns.size());
  for (const auto& [name, columns] : alike) {
    const Words texts = columns.size() > 1 ? apart(columns) : Words{""};
    for (std::size_t at = 0; at < columns.size(); ++at) {
      const auto place = static_cast<std::size_t>(columns[at] - table.columns.data());
      names[place] = columns.size() > 1 ? name + " (" + texts[at] + ")" : name;
    }
  }
  return names;
}

// Returns what the case has besides network, mode, device and batch size.
Words parts_of(const schema::CaseResult& result) {
  const schema::CaseSpec& spec = result.spec;
  Words parts{to_string(spec.precision), to_string(spec.engine), to_string(spec.dataset)};
  for (const std::string& option : schema::CaseId(result.id).options) parts.push_back(option);
  return parts;
}

// Names the cases by the parts that not all of them have.
void name_cases(PageReports& page) {
  std::map<std::string, std::size_t> counts;
  for (const PageCase& one : page.cases) {
    const Words parts = parts_of(page.result(one));
    for (const std::string& part : std::set<std::string>(parts.begin(), parts.end())) ++counts[part];
  }
  for (PageCase& one : page.cases) {
    Words parts = parts_of(page.result(one));
    std::erase_if(parts, [&](const std::string& part) { return counts[part] == page.cases.size(); });
    one.series = fmt::format("{}", fmt::join(parts, ", "));
    one.name = fmt::format("batch {}{}{}", page.result(one).spec.batch_size, parts.empty() ? "" : ", ", one.series);
  }
}

void mark_fastest(PageReports& page) {
  std::map<std::tuple<std::size_t, std::string, schema::Mode, std::string>, PageCase*> fastest;
  for (PageCase& one : page.cases) {
    const schema::CaseResult& result = page.result(one);
    const auto rate = report::speed_of(result.spec, result.metrics).value;
    if (!rate || (result.published && result.published->is_other_work())) continue;
    PageCase*& best = fastest[{one.machine, result.spec.model, result.spec.mode, one.series}];
    if (best == nullptr || *rate > report::speed_of(page.result(*best).spec, page.result(*best).metrics).value)
      best = &one;
  }
  for (const auto& [series, best] : fastest) best->is_fastest = true;
}

void judge(PageReports& page) {
  if (!page.is_gate()) {
    page.comparability = report::comparability(page.table);
    return;
  }
  page.comparability = report::comparability(page.compared[0], page.compared[1]);
  if (page.comparability.obstacles.empty()) page.comparison = report::compare(page.compared[0], page.compared[1], {});
}

}  // namespace

std::size_t PageReports::position(const report::ComparedCase* result) const {
  std::size_t before = 0;
  for (const report::ComparedReport& report : compared) {
    const report::ComparedCase* first = report.cases.data();
    if (std::greater_equal<>()(result, first) && std::less<>()(result, first + report.cases.size()))
      return before + static_cast<std::size_t>(result - first);
    before += report.cases.size();
  }
  return before;
}

bool PageReports::is_gate() const {
  if (compared.size() != 2) return false;
  const report::ComparedReport& before = compared[0];
  const report::ComparedReport& after = compared[1];
  const bool published = before.is_published() || after.is_published();
  return !published && before.run_id != after.run_id && report::same_machine(before, after);
}

std::string PageReports::named(const PageCase& one) const {
  const schema::CaseSpec& spec = result(one).spec;
  return spec.model + " " + to_string(spec.mode) + ", " + one.name;
}

PageReports page_reports(const std::vector<schema::Report>& reports, const std::vector<std::string>& files) {
  PageReports page;
  page.all = &reports;
  for (std::size_t at = 0; at < reports.size(); ++at) {
    // Without folders, which may have a user's name. A single report needs no name.
    const bool is_named = reports.size() > 1 && at < files.size();
    page.compared.push_back(
        report::compared_of(reports[at], is_named ? std::filesystem::path(files[at]).filename().string() : ""));
  }
  page.table = report::machine_table(page.compared);
  page.machines = machine_names(page.table);
  for (std::size_t at = 0; at < reports.size(); ++at) {
    for (std::size_t number = 0; number < reports[at].cases.size(); ++number) {
      const auto column = std::ranges::find_if(page.table.columns, [&](const MachineColumn& one) {
        return one.report == &page.compared[at] && one.device == reports[at].cases[number].spec.device;
      });
      page.cases.push_back({at, number, static_cast<std::size_t>(column - page.table.columns.begin()), "", ""});
    }
  }
  name_cases(page);
  mark_fastest(page);
  judge(page);
  return page;
}

}  // namespace mpsbench::output
