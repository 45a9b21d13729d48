// The accelerators of this machine, and how the worker was built for them.
#pragma once

#include "schema/host.hpp"
#include "schema/report.hpp"
#include "suite/host.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::run {

// The devices of this machine. The worker is asked for them once, when they are first needed.
class Accelerators {
 public:
  // Returns a function that lists the devices. It is valid as long as this object, and throws
  // Error(interrupted), and Error(usage) if the worker has another version than this program.
  [[nodiscard]] suite::DeviceList list();

  // Returns the usable devices except the CPU, for the report. Empty if the worker was never asked.
  [[nodiscard]] std::vector<schema::Accelerator> known() const;

  // Returns LibTorch's version, or nullopt if the worker was never asked or did not answer.
  [[nodiscard]] std::optional<std::string> libtorch_version() const { return libtorch_version_; }

  // Returns why PLAN has no cases on devices that LibTorch supports but that are not usable now. The result
  // is empty if the worker was never asked.
  [[nodiscard]] std::vector<std::string> passed_over(const std::vector<schema::PlannedCase>& plan) const;

 private:
  std::optional<std::vector<schema::DeviceStatus>> devices_;
  std::optional<std::string> libtorch_version_;
};

// Reports name the front's build, but the worker's measures.
struct BuildDifference {
  bool is_refused = false;  // they have different versions; otherwise only different commits
  std::string message;
  std::string cure;
};

// Returns how WORKER's build differs from FRONT's, or nullopt if it does not, as far as both are known.
// nullopt for WORKER: it is too old to say.
[[nodiscard]] std::optional<BuildDifference> build_difference(const schema::ToolInfo& front,
                                                              const std::optional<schema::ToolInfo>& worker);

// Throws Error(usage) if WORKER has another version than this program. Warns if it has another commit.
void require_own_build(const std::optional<schema::ToolInfo>& worker);

}  // namespace mpsbench::run
