// Gives launches the packages that their engines run.
#pragma once

#include "run/packages/package_cache.hpp"
#include "run/packages/package_compiler.hpp"
#include "run/packages/scratch_folder.hpp"
#include "run/plan/view.hpp"
#include "schema/messages.hpp"
#include "schema/report.hpp"
#include "supervise/interrupt.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace mpsbench::run {

// The folder of the cache of packages.
[[nodiscard]] std::filesystem::path packages_folder();

class Packages {
 public:
  // Where a package is needed: the worker that runs it on HOST, and who may stop and who sees its
  // compilation.
  struct Circumstances {
    std::filesystem::path worker;
    const schema::HostInfo& host;
    supervise::Interrupt& interrupt;
    View& view;
  };

  // If the engine of PLANNED runs a package, puts it into REQUEST, and compiles it unless it is in the cache,
  // where it stays as long as this object lives. A request with check_engine also gets the package without
  // dropout. A request with a user's own package gets only the folder to unpack it. Returns the launch that
  // fails instead if there can be no package. Throws Error(interrupted).
  [[nodiscard]] std::optional<schema::Launch> add_to(schema::LaunchRequest& request, const schema::PlannedCase& planned,
                                                     const Circumstances& where);

 private:
  using Made = std::variant<CachedPackage, schema::Launch>;

  [[nodiscard]] std::optional<schema::Launch> add_folder_to(schema::LaunchRequest& request);
  [[nodiscard]] const Made& package_for(const nlohmann::ordered_json& compile_request,
                                        const schema::PlannedCase& planned, const Circumstances& where);
  static void wait_for_others(const schema::PlannedCase& planned, double waited_seconds, const Circumstances& where);
  [[nodiscard]] CachedPackage find_or_compile(const nlohmann::ordered_json& compile_request,
                                              const schema::PlannedCase& planned, const Circumstances& where);
  void compile(const Compiler& compiler, const nlohmann::ordered_json& compile_request, const std::string& key,
               const schema::PlannedCase& planned, const Circumstances& where);
  [[nodiscard]] const Compiler& compiler_of(const Circumstances& where);
  [[nodiscard]] std::filesystem::path compile_folder() const;
  [[nodiscard]] const PackageCache& cache();

  std::optional<PackageCache> cache_;
  std::optional<ScratchFolder> scratch_;
  std::map<std::filesystem::path, Compiler> compilers_;  // by worker
  std::map<std::string, Made> made_;                     // by request and worker
  std::set<std::string> told_;                           // reasons that the view knows
  std::map<std::string, supervise::Descriptor> held_;    // by key; keep the packages in the cache
};

}  // namespace mpsbench::run
