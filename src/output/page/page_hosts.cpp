#include "output/page/page_hosts.hpp"

#include "base/units.hpp"
#include "output/text/columns.hpp"
#include "output/text/quoting.hpp"

#include <fmt/core.h>

#include <utility>

namespace mpsbench::output {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

void add(Facts& facts, const std::string& name, const std::string& text) {
  if (text.find_first_not_of(' ') != std::string::npos) facts.emplace_back(name, text);
}

std::string cpu_text(const schema::HostInfo& host) {
  std::string text = host.cpu.model;
  if (host.cpu.physical_cores) text += ", " + std::to_string(*host.cpu.physical_cores) + " cores";
  if (host.cpu.logical_cores > 0) text += ", " + std::to_string(host.cpu.logical_cores) + " threads";
  return text;
}

std::string libtorch_text(const schema::LibtorchInfo& libtorch) {
  return libtorch.version + (libtorch.cuda ? ", CUDA " + *libtorch.cuda : "") +
         (libtorch.cudnn ? ", cuDNN " + *libtorch.cudnn : "");
}

std::string cases_text(const schema::Report& report) {
  std::size_t measured = 0;
  for (const schema::CaseResult& result : report.cases)
    measured += middle_of(result, result.metrics.step_seconds) ? 1 : 0;
  return fmt::format("{}, {} with times", report.cases.size(), measured);
}

Facts facts_of(const schema::Report& report) {
  const schema::HostInfo& host = report.host;
  Facts facts;
  add(facts, "CPU", cpu_text(host));
  for (const schema::Accelerator& one : host.accelerators)
    add(facts, to_string(one.device),
        one.name +
            (one.memory_bytes ? ", " + base::format_bytes(static_cast<double>(*one.memory_bytes)) : ""));
  if (host.memory_bytes > 0) add(facts, "memory", base::format_bytes(static_cast<double>(host.memory_bytes)));
  add(facts, "system", host.os.name + " " + host.os.version + " " + host.os.arch);
  if (host.libtorch) add(facts, "LibTorch", libtorch_text(*host.libtorch));
  add(facts, "power", host.power.source.value_or("") + " " + host.power.mode.value_or(""));
  add(facts, "run",
      report.run.suite + " " + report.run.started_at +
          (report.run.status == schema::RunStatus::complete ? ""
                                                            : " (" + to_string(report.run.status) + ")"));
  add(facts, "tool", report.tool.name + " " + report.tool.version + " " + schema::commit_text(report.tool));
  add(facts, "cases", cases_text(report));
  return facts;
}

}  // namespace

std::string hosts_section(const PageReports& page) {
  std::string text = "<section id=\"hosts\" class=\"hosts\" aria-label=\"Machines\">\n";
  for (std::size_t at = 0; at < page.all->size(); ++at) {
    const schema::Report& report = (*page.all)[at];
    text += "<div class=\"card\"><h2>" + (page.several() ? page.letters[at] + " · " : "") +
            xml_text(report.host.name) + "</h2><dl>";
    for (const auto& [name, value] : facts_of(report))
      text += "<dt>" + xml_text(name) + "</dt><dd>" + xml_text(value) + "</dd>";
    text += "</dl></div>\n";
  }
  return text + "</section>\n";
}

}  // namespace mpsbench::output
