// `mpsbench doctor`: what this machine can measure, and what would spoil a measurement, each with a cure.
#pragma once

#include "base/error.hpp"

#include <string>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct DoctorOptions {
  std::string format = "table";
};

CLI::App* add_doctor_command(CLI::App& app, DoctorOptions& options);
[[nodiscard]] base::ExitCode run_doctor(const DoctorOptions& options);

}  // namespace mpsbench::cli
