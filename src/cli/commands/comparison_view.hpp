// How a comparison of two reports of one machine is shown.
#pragma once

#include "report/compare/compare.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace mpsbench::cli {

// Those of csv and junit go to stderr.
void print_notes(const std::vector<std::string>& notes, const std::string& format,
                 std::FILE* stream = stdout);

// FORMAT: table, md, csv or json.
void print_comparison(const report::Comparison& comparison, const std::vector<std::string>& notes,
                      const std::string& format, bool colour, std::FILE* stream = stdout);

}  // namespace mpsbench::cli
