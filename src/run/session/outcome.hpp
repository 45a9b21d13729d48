// The end of a run: writes its report, prints warnings and determines the exit code.
#pragma once

#include "base/error.hpp"
#include "schema/report.hpp"
#include "supervise/journal.hpp"
#include "supervise/run_launches.hpp"

#include <filesystem>

namespace mpsbench::run {

// Writes the final report, then deletes the journal. If the report cannot be written, the journal stays.
[[nodiscard]] base::ExitCode write_report(const schema::Report& report, const std::filesystem::path& path,
                                          supervise::Journal& journal);

// Warns, in one line, about all cases that could not run on this machine.
void name_unsupported(const schema::Report& report);

[[nodiscard]] bool is_resumable(const schema::RunInfo& run);

[[nodiscard]] base::ExitCode exit_code_of(const schema::Report& report, supervise::RunEnd end);

}  // namespace mpsbench::run
