#include "run/packages/packages.hpp"

#include "base/clock.hpp"
#include "base/json_file.hpp"
#include "base/units.hpp"
#include "model/build_network_plan.hpp"
#include "report/host/machine_cache.hpp"
#include "report/host/privacy.hpp"
#include "stats/summary.hpp"
#include "suite/model_file.hpp"
#include "supervise/launch_runner.hpp"

#include <system_error>
#include <utility>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;

constexpr double kLockPauseSeconds = 0.25;
// Of a scratch folder. The second package of a case finds kernels there that the first one has, too.
constexpr const char* kCompileFolder = "compile";
constexpr const char* kTwinSuffix = " without dropout";

// What compiling probably takes: the median of what is in the cache.
std::optional<double> expected_seconds(const PackageCache& cache) {
  std::vector<double> seconds;
  for (const CachedPackage& one : cache.list()) seconds.push_back(one.compile_seconds);
  return stats::median(seconds);
}

}  // namespace

schema::LaunchRequest launch_request(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  schema::LaunchRequest request;
  request.spec = planned.spec;
  request.network_plan = model::case_network_plan(record.run, planned.definition_sha256, planned.spec);
  request.measure = planned.measure;
  if (planned.spec.ranks > 1) {
    request.group = schema::GroupPlace{};
    request.group->ranks = planned.spec.ranks;
    request.group->timeout_seconds = planned.rendezvous_timeout_seconds;
  }
  if (planned.weights_path) request.weights = report::expand_home(*planned.weights_path);
  if (schema::runs_package_file(request.network_plan)) {
    const nlohmann::json& definition = record.run.definitions.at(planned.definition_sha256);
    // The worker opens no link, so that what it checks is what it loads.
    std::error_code failure;
    request.package = {.path = fs::weakly_canonical(request.weights.value(), failure).string(),
                       .sha256 = suite::sha256_of_source(definition.value("source", "")),
                       .folder = ""};
  }
  if (planned.data_path) request.data_folder = report::expand_home(*planned.data_path);
  if (planned.vocabulary_path) request.vocabulary = report::expand_home(*planned.vocabulary_path);
  if (planned.dump_first_step_path) request.dump_first_step = report::expand_home(*planned.dump_first_step_path);
  return request;
}

fs::path packages_folder() {
  return report::cache_folder() / "packages";
}

std::optional<schema::Launch> Packages::add_to(schema::LaunchRequest& request, const schema::PlannedCase& planned,
                                               const Circumstances& where) {
  const schema::CaseSpec& spec = request.spec;
  if (schema::runs_package_file(request.network_plan)) return add_folder_to(request);
  if (!row_of(spec.engine).packaged) return std::nullopt;
  const bool is_random = row_of(spec.mode).trains && drops_out(request.network_plan);
  const bool has_twin = is_random && request.check_engine;
  const auto add = [&](bool with_dropout, std::optional<schema::PackageFile>& place) -> std::optional<schema::Launch> {
    schema::PlannedCase named = planned;
    Wanted wanted{compile_request(spec, request.network_plan, with_dropout), named, where, std::nullopt};
    if (is_random && !with_dropout) named.id += kTwinSuffix;
    if (has_twin && with_dropout) wanted.twin = compile_request(spec, request.network_plan, false);
    const Made& made = package_for(wanted);
    if (const auto* failed = std::get_if<schema::Launch>(&made)) return *failed;
    const auto& package = std::get<CachedPackage>(made);
    place = {package.file.string(), package.sha256, scratch_.value().path().string(), package.compile_seconds};
    return std::nullopt;
  };
  std::optional<schema::Launch> failed = add(is_random, request.package);
  if (!failed && has_twin) failed = add(false, request.check_package);
  std::error_code unused;
  if (scratch_) fs::remove_all(scratch_->path() / kCompileFolder, unused);
  return failed;
}

std::optional<schema::Launch> Packages::add_folder_to(schema::LaunchRequest& request) {
  try {
    (void)cache();
    request.package.value().folder = scratch_.value().path().string();
    return std::nullopt;
  } catch (const base::Error& error) {
    return supervise::failed_launch(schema::Status::failed, {"input", error.what(), ""});
  }
}

const Packages::Made& Packages::package_for(const Wanted& wanted) {
  const auto& [request, planned, where, twin] = wanted;
  const std::string name = where.worker.string() + base::to_text(request) + to_string(planned.spec.device);
  const auto known = made_.find(name);
  if (known != made_.end()) return known->second;
  const auto keep = [&](Made made) -> const Made& { return made_.emplace(name, std::move(made)).first->second; };
  const auto fail = [&](schema::Status status, const base::Error& error, const std::string& detail) -> const Made& {
    if (told_.insert(error.what()).second) wanted.where.show(NotCompiled{wanted.planned.id, error.what()});
    return keep(supervise::failed_launch(status, {"compile", error.what(), detail}));
  };
  using schema::Status;
  try {
    return keep(find_or_compile(wanted));
  } catch (const CompileError& error) {
    return fail(error.is_timeout ? Status::timeout : Status::failed, error, error.detail);
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    return fail(error.kind() == base::ErrorKind::no_device ? Status::unsupported : Status::failed, error, "");
  }
}

// Another run compiles the same package, or uses one that is damaged.
void Packages::wait_for_others(const Wanted& wanted, double waited_seconds) {
  const auto& [request, planned, where, twin] = wanted;
  where.show(Compiling{planned.id, "waiting for another run", waited_seconds, std::nullopt});
  if (waited_seconds > planned.timeout_seconds)
    throw CompileError("another run has used or compiled this package for " +
                           base::format_duration(planned.timeout_seconds) + "; wait for its end, or raise --timeout",
                       "", true);
  if (where.interrupt.wait(kLockPauseSeconds))
    throw base::Error(base::ErrorKind::interrupted, "stopped while it waited for a package");
}

CachedPackage Packages::find_or_compile(const Wanted& wanted) {
  const auto& [request, planned, where, twin] = wanted;
  const Compiler& compiler = compiler_of(where);
  const std::string key = package_key(request, planned.spec.device, where.host, compiler);
  const double start = base::steady_seconds();
  held_.erase(key);  // another worker's may be damaged by now, and is then made again
  while (true) {
    base::Descriptor lock = cache().try_hold(key, Hold::shared);
    if (lock.get() >= 0) {
      if (const std::optional<CachedPackage> package = cache().find(key)) {
        held_.emplace(key, std::move(lock));
        return *package;
      }
      lock.close();
      lock = cache().try_hold(key, Hold::exclusive);
    }
    if (lock.get() < 0) {
      wait_for_others(wanted, base::steady_seconds() - start);
    } else if (!cache().find(key)) {
      compile(compiler, wanted, key);
    }
  }
}

// Also compiles the twin, if it is missing and both may run at once: on a GPU, the tensors of both might not fit, and
// max-autotune measures kernels. A twin that is not made now is compiled alone later.
void Packages::compile(const Compiler& compiler, const Wanted& wanted, const std::string& key) {
  const auto& [compile_request, planned, where, twin] = wanted;
  const schema::CaseSpec& spec = planned.spec;
  const fs::path folder = scratch_.value().path() / kCompileFolder;
  const fs::path file = folder / "package.pt2";
  const fs::path twin_file = folder / "twin.pt2";
  const double start = base::steady_seconds();
  const std::optional<double> expected = expected_seconds(cache());
  const auto on_stage = [&](const std::string& stage) {
    wanted.where.show(Compiling{wanted.planned.id, stage, base::steady_seconds() - start, expected});
  };
  on_stage("starting Python");
  std::error_code failure;
  fs::create_directory(folder, failure);
  nlohmann::ordered_json request = compile_request;
  request["device"] = to_string(spec.device);  // with its number, which is not in the key
  std::string twin_key;
  base::Descriptor twin_lock;
  if (twin && spec.device.row().is_host && spec.compile_mode != schema::CompileMode::max_autotune) {
    twin_key = package_key(*twin, spec.device, where.host, compiler);
    twin_lock = cache().try_hold(twin_key, Hold::exclusive);
    if (twin_lock.get() >= 0 && cache().find(twin_key)) twin_lock.close();
    if (twin_lock.get() >= 0) {
      request["twin"] = *twin;
      request["twin"]["package"] = twin_file.string();
    }
  }
  const double seconds =
      compile_package(compiler, std::move(request), file, folder,
                      planned.timeout_seconds * (twin_lock.get() >= 0 ? 2 : 1), where.interrupt, on_stage);
  const auto keep = [&](const fs::path& made, const std::string& its_key, const std::string& id) {
    CachedPackage package;
    package.key = its_key;
    package.case_id = id;
    package.libtorch = compiler.libtorch;
    package.compile_seconds = seconds;
    package.created_at = base::utc_timestamp();
    (void)cache().add(made, std::move(package));
  };
  keep(file, key, planned.id);
  if (fs::exists(twin_file, failure)) keep(twin_file, twin_key, planned.id + kTwinSuffix);
  where.show(Compiled{planned.id, seconds});
}

const Compiler& Packages::compiler_of(const Circumstances& where) {
  const auto known = compilers_.find(where.worker);
  if (known != compilers_.end()) return known->second;
  return compilers_.emplace(where.worker, find_compiler(supervise::probe(where.worker, &where.interrupt)))
      .first->second;
}

const PackageCache& Packages::cache() {
  if (!scratch_) {
    cache_.emplace(packages_folder());
    scratch_.emplace(cache_->scratch_parent());
  }
  return cache_.value();
}

}  // namespace mpsbench::run
