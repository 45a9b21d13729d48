// What a page says first: who is compared, and the answer in one sentence.
#pragma once

#include "output/page/page_reports.hpp"
#include "report/compare/machine_summary.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::output {

// A machine's speeds against a reference.
struct PageSpeeds {
  std::size_t machine = 0;
  std::vector<report::PairSpeed> pairs;
  report::MachineSpeeds all;
};

// All machines against one of them.
struct PageReference {
  std::size_t machine = 0;
  std::vector<PageSpeeds> others;  // those that share a case with it, fastest first
  std::string answer;              // one sentence
};

// Returns an entry for each machine that shares a case with another one, the usual reference first. So that
// pages stay small, only the first of very many machines that share the most are references.
[[nodiscard]] std::vector<PageReference> page_references(const PageReports& page);

// Returns "NVIDIA H200 and AMD EPYC 9654", or "epyc-9 before and after" for a gate.
[[nodiscard]] std::string page_title(const PageReports& page);
// Returns the answer: of the gate, against the first of REFERENCES, or of one machine.
[[nodiscard]] std::string page_answer(const PageReports& page, const std::vector<PageReference>& references);
// Returns what else readers should know at once, a sentence each.
[[nodiscard]] std::vector<std::string> page_remarks(const PageReports& page);
// Returns "8 cases, measured on 2026-11-22 by mpsbench 0.1.0 with LibTorch 2.13.0".
[[nodiscard]] std::string page_subtitle(const PageReports& page);

}  // namespace mpsbench::output
