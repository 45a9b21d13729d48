// What disturbed a run and how sure its figures are, in plain words.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// Returns a sentence such as "Other processes took 51 % of the CPU on average, and the times of 8 of 10 cases
// are uncertain by more than ±5 %: close other programs, or give each case more launches: -r 10." Returns an
// empty text if nothing disturbed the run and all its cases have narrow intervals from several launches.
[[nodiscard]] std::string run_remarks(const schema::Report& report);

// Returns text such as "32 to 512 cannot be told apart here (±30 %)".
[[nodiscard]] std::string tied_words(const schema::TiedBatches& tied);

// Whether run_remarks() says in words what FLAG says.
[[nodiscard]] bool is_told_in_words(const std::string& flag);

}  // namespace mpsbench::output
