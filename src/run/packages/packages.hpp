// Makes the requests of launches: the case's plan and files, and the packages that engines run.
#pragma once

#include "run/packages/package_cache.hpp"
#include "run/packages/package_compiler.hpp"
#include "run/plan/run_event.hpp"
#include "schema/messages.hpp"
#include "schema/report.hpp"
#include "supervise/interrupt.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

namespace mpsbench::run {

// Makes the worker's request for a planned case, whose definition RECORD has. The request does not ask for a check of
// the output, its package lacks a folder, and its group lacks a rank and an address; callers can add that.
[[nodiscard]] schema::LaunchRequest launch_request(const schema::RunRecord& record, const schema::PlannedCase& planned);

[[nodiscard]] std::filesystem::path packages_folder();

class Packages {
 public:
  // Where a package is needed: the worker that runs it on HOST, and who may stop and who sees its compilation.
  struct Circumstances {
    std::filesystem::path worker;
    const schema::HostInfo& host;
    supervise::Interrupt& interrupt;
    const RunSink& show;
  };

  // If the engine of PLANNED runs a package, puts it into REQUEST, and compiles it unless it is in the cache,
  // where it stays as long as this object lives. A request with check_engine also gets the package without
  // dropout. A request with a user's own package gets only the folder to unpack it. Returns the launch that
  // fails instead if there can be no package. Throws Error(interrupted).
  [[nodiscard]] std::optional<schema::Launch> add_to(schema::LaunchRequest& request, const schema::PlannedCase& planned,
                                                     const Circumstances& where);

 private:
  using Made = std::variant<CachedPackage, schema::Launch>;
  struct Wanted {
    const nlohmann::ordered_json request;
    const schema::PlannedCase& planned;
    const Circumstances& where;
    std::optional<nlohmann::ordered_json> twin;  // the package of the same case that is wanted next
  };

  [[nodiscard]] std::optional<schema::Launch> add_folder_to(schema::LaunchRequest& request);
  [[nodiscard]] const Made& package_for(const Wanted& wanted);
  static void wait_for_others(const Wanted& wanted, double waited_seconds);
  [[nodiscard]] CachedPackage find_or_compile(const Wanted& wanted);
  void compile(const Compiler& compiler, const Wanted& wanted, const std::string& key);
  [[nodiscard]] const Compiler& compiler_of(const Circumstances& where);
  [[nodiscard]] const PackageCache& cache();

  std::optional<PackageCache> cache_;
  std::optional<ScratchFolder> scratch_;
  std::map<std::filesystem::path, Compiler> compilers_;  // by worker
  std::map<std::string, Made> made_;                     // by request and worker
  std::set<std::string> told_;                           // reasons that were told
  std::map<std::string, base::Descriptor> held_;         // by key; keep the packages in the cache
};

}  // namespace mpsbench::run
