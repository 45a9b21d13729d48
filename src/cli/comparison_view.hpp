// How a comparison of two reports of one machine is shown and what it ends with.
#pragma once

#include "base/error.hpp"
#include "report/comparability.hpp"
#include "report/compare.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace mpsbench::cli {

// What is to be told beside the figures. Throws Error(not_comparable) for obstacles, unless FORCE.
[[nodiscard]] std::vector<std::string> notes_of(report::Comparability found, bool force);

// Those of csv and junit go to stderr.
void print_notes(const std::vector<std::string>& notes, const std::string& format,
                 std::FILE* stream = stdout);

// FORMAT: table, md, csv or json.
void print_comparison(const report::Comparison& comparison, const std::vector<std::string>& notes,
                      const std::string& format, bool colour, std::FILE* stream = stdout);

struct GateRules {
  bool fail_on_regression = false;
  bool fail_on_undecided = false;
};

// not_comparable when no case could be compared.
[[nodiscard]] base::ExitCode gate_outcome(const report::Comparison& comparison, const GateRules& rules);

}  // namespace mpsbench::cli
