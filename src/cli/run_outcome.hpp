// How a run ended: its report on stdout and on the disk, what is worth a remark, the exit code.
#pragma once

#include "base/error.hpp"
#include "schema/report.hpp"
#include "suite/settings.hpp"
#include "supervise/journal.hpp"
#include "supervise/run_plan.hpp"

#include <filesystem>
#include <string>

namespace mpsbench::cli {

// "table", "md", ... or "plain".
[[nodiscard]] std::string output_format(const suite::Settings& settings);

void print_report(const schema::Report& report, const suite::Settings& settings);

// The final file; then the journal goes. Where it cannot be written, the journal stays.
[[nodiscard]] base::ExitCode write_report(const schema::Report& report, const std::filesystem::path& path,
                                          supervise::Journal& journal);

// One line for all cases on devices that are not here.
void name_unsupported(const schema::Report& report);

[[nodiscard]] base::ExitCode run_outcome(const schema::Report& report, supervise::RunEnd end);

}  // namespace mpsbench::cli
