// `mpsbench doctor` shows what this machine can measure and what would disturb a measurement, with what to do
// about it.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct DoctorOptions {
  OutputChoice output;
};

CLI::App* add_doctor_command(CLI::App& app, DoctorOptions& options);
[[nodiscard]] base::ExitCode run_doctor(const DoctorOptions& options);

}  // namespace mpsbench::cli
