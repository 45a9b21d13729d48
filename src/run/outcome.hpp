// How a run ended: its report on the disk, what is worth a remark, the exit code.
#pragma once

#include "base/error.hpp"
#include "schema/report.hpp"
#include "supervise/journal.hpp"
#include "supervise/run_launches.hpp"

#include <filesystem>

namespace mpsbench::run {

// The final file; then the journal goes. Where it cannot be written, the journal stays.
[[nodiscard]] base::ExitCode write_report(const schema::Report& report, const std::filesystem::path& path,
                                          supervise::Journal& journal);

// One line for all cases on devices that are not here.
void name_unsupported(const schema::Report& report);

// Whether --resume can go on with it.
[[nodiscard]] bool is_resumable(const schema::RunInfo& run);

[[nodiscard]] base::ExitCode exit_code_of(const schema::Report& report, supervise::RunEnd end);

}  // namespace mpsbench::run
