#include "suite/plan_cases.hpp"

#include "base/log.hpp"
#include "suite/case_id.hpp"
#include "suite/dataset_choice.hpp"
#include "suite/host.hpp"
#include "suite/model_file.hpp"
#include "suite/ranks.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <utility>

namespace mpsbench::suite {
namespace {

constexpr double kMostPoints = 100'000;  // per model in a matrix, before --filter
constexpr std::size_t kMostCases = 10'000;

std::string text_of(std::int64_t number) {
  return std::to_string(number);
}
template <schema::Closed Enum>
std::string text_of(Enum value) {
  return to_string(value);
}

std::string text_of(const GpuCount& count) {
  return count ? std::to_string(*count) : "all";
}

template <typename Value>
void require_distinct(const Setting<std::vector<Value>>& given) {
  std::set<Value> seen;
  for (const Value& value : given.value_or({})) {
    if (!seen.insert(value).second) throw given.error("'" + text_of(value) + "' appears twice; remove one");
  }
}

std::vector<std::string> model_names(const Settings& settings, const Catalog& catalog) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const std::string& name : settings.models.value_or({kAllModels})) {
    for (const std::string& one : name == kAllModels ? catalog.model_names() : std::vector{name}) {
      if (seen.insert(one).second) names.push_back(one);
    }
  }
  return names;
}

std::vector<std::int64_t> batch_sizes(const Settings& settings, const model::Definition& definition,
                                      const schema::DeviceId& device) {
  if (!settings.batch_sizes.has()) return {definition.batch_size};
  const BatchChoice* given = settings.batch_sizes.value().on(device);
  if (given == nullptr)
    throw settings.batch_sizes.error("has no sizes for " + to_string(device) + "; add " + to_string(device) + "=N");
  if (given->searched) return {0};
  std::vector<std::int64_t> sizes;
  for (const std::int64_t size : given->sizes) {
    if (std::ranges::count(sizes, size) == 0) sizes.push_back(size);
  }
  return sizes;
}

// Returns the numbers of an axis, or null, the default, if it is not set.
std::vector<std::optional<std::int64_t>> numbers_of(const Setting<std::vector<std::int64_t>>& given) {
  if (!given.has()) return {std::nullopt};
  return {given.value().begin(), given.value().end()};
}

bool is_stored(schema::Precision precision) {
  return row_of(precision).is_stored;
}

// Returns POINT with each length of a sequence and each number of threads.
std::vector<MatrixPoint> with_numbers(MatrixPoint point, const Settings& own) {
  std::vector<MatrixPoint> all;
  for (const auto& depth : numbers_of(own.depths)) {
    for (const auto& prompt : numbers_of(own.prompts)) {
      for (const auto& threads : numbers_of(own.threads)) {
        for (const auto& interop_threads : numbers_of(own.interop_threads)) {
          point.depth = depth;
          point.prompt = prompt;
          point.threads = threads;
          point.interop_threads = interop_threads;
          all.push_back(point);
        }
      }
    }
  }
  return all;
}

// Appends the points of one mode to ALL.
void add_points(const Settings& settings, schema::Mode mode, const model::Definition& definition, const Host& host,
                std::vector<MatrixPoint>& all) {
  const std::vector<schema::DeviceId> devices =
      row_of(mode).has_network ? resolve_devices(settings.devices.value_or({DeviceChoice()}), host.devices)
                               : std::vector{schema::DeviceId("cpu")};
  const Settings own = heeded(settings, mode);
  require_used_ranks(own, devices, host);
  std::vector<schema::Precision> precisions = own.precisions.value_or({schema::Precision::fp32});
  if (row_of(mode).trains) std::erase_if(precisions, is_stored);
  const auto engines = own.engines.value_or({schema::Engine::eager});
  std::vector<std::pair<schema::DeviceId, std::int64_t>> places;
  for (const schema::DeviceId& device : devices) {
    for (const std::int64_t ranks : ranks_on(device, mode, own, host)) places.emplace_back(device, ranks);
  }
  std::map<schema::DeviceId, std::vector<std::int64_t>> sizes;
  for (const schema::DeviceId& device : devices) sizes[device] = batch_sizes(settings, definition, device);
  double count = 0;
  for (const auto& [device, ranks] : places) count += static_cast<double>(sizes[device].size());
  for (const std::size_t length :
       {precisions.size(), engines.size(), numbers_of(own.threads).size(), numbers_of(own.interop_threads).size(),
        numbers_of(own.prompts).size(), numbers_of(own.depths).size()})
    count *= static_cast<double>(length);
  if (static_cast<double>(all.size()) + count > kMostPoints)
    throw settings.batch_sizes.error("the matrix has too many cases; shorten its lists");
  for (const auto& [device, ranks] : places) {
    for (const schema::Precision precision : precisions) {
      for (const schema::Engine engine : engines) {
        for (const std::int64_t size : sizes[device])
          std::ranges::copy(
              with_numbers({mode, device, batch_of_rank(size, ranks, device, own), precision, engine, ranks}, own),
              std::back_inserter(all));
      }
    }
  }
}

void require_usable_cpus(const Settings& settings, const Host& host) {
  if (!settings.affinity.has() || !host.cpus) return;
  const std::string reason = why_unusable(settings.affinity.value(), *host.cpus);
  if (!reason.empty()) throw settings.affinity.error(reason);
}

std::vector<schema::Mode> default_modes(const Settings& settings, const model::Definition& definition) {
  const std::vector<schema::Precision> precisions = settings.precisions.value_or({schema::Precision::fp32});
  const bool only_infers = std::ranges::all_of(precisions, is_stored);
  if (is_package_file(definition.file) || only_infers) return {schema::Mode::infer};
  return {schema::Mode::train, schema::Mode::infer};
}

// Weights that are stored in 16 bits do not train.
void require_trainable_precisions(const Settings& settings, const std::vector<schema::Mode>& modes) {
  static bool is_said = false;
  const std::vector<schema::Precision> precisions = settings.precisions.value_or({});
  const auto stored = std::ranges::find_if(precisions, is_stored);
  const auto trains = [](schema::Mode mode) { return row_of(mode).trains; };
  if (stored == precisions.end() || std::ranges::none_of(modes, trains)) return;
  if (std::ranges::all_of(modes, trains) && std::ranges::all_of(precisions, is_stored))
    throw settings.precisions.error(to_string(*stored) +
                                    " cannot train; use --mode infer or generate, or --precision " +
                                    to_string(row_of(*stored).kernels));
  if (!std::exchange(is_said, true))
    base::log::info("left out: training in " + to_string(*stored) + ", which only infers and generates");
}

std::vector<MatrixPoint> points(const Settings& settings, const model::Definition& definition, const Host& host) {
  const std::vector<schema::Mode> modes = settings.modes.value_or(default_modes(settings, definition));
  check_modes(settings, modes);
  require_usable_cpus(settings, host);
  std::vector<MatrixPoint> all;
  for (const schema::Mode mode : modes) add_points(settings, mode, definition, host, all);
  require_trainable_precisions(settings, modes);
  const auto require_all_distinct = [](const auto&... given) { (require_distinct(given), ...); };
  require_all_distinct(settings.modes, settings.precisions, settings.engines, settings.ranks, settings.gpus,
                       settings.threads, settings.interop_threads, settings.prompts, settings.depths);
  return all;
}

// Gives MATRICES the names of the files that they use, which differ over the whole plan.
std::vector<Settings> with_file_names(std::vector<Settings> matrices) {
  std::vector<std::string> files;
  for (const Settings& settings : matrices) {
    std::ranges::copy_if(settings.models.value_or({}), std::back_inserter(files), is_model_file);
    if (settings.weights.has()) files.push_back(settings.weights.value());
  }
  const std::map<std::string, std::string> names = file_names(files);
  for (Settings& settings : matrices) settings.file_names = names;
  return matrices;
}

class CasePlanner {
 public:
  CasePlanner(const Catalog& catalog, const Host& host) : catalog_(&catalog), host_(host) {}

  void add(const Settings& settings) {
    for (const std::string& name : model_names(settings, *catalog_)) {
      const model::Definition definition = load(settings, name);
      for (const MatrixPoint& point : choose(settings, definition)) {
        try {
          add_point(settings, point, definition);
          plan_.definitions[definition.sha256] = definition.document;
        } catch (const DoesNotFit& problem) {
          if (asks_for_models(settings)) throw;
          if (settings.strict.is_on()) throw base::Error(base::ErrorKind::no_device, problem.what());
          base::log::warn("left out: " + problem.shortage());
          left_out_ = problem;
        }
      }
    }
  }

  // Throws DoesNotFit if nothing else is left.
  PlannedCases take() {
    if (plan_.cases.empty() && plan_.open.empty() && left_out_) throw DoesNotFit(*left_out_);
    return std::move(plan_);
  }

 private:
  [[nodiscard]] model::Definition load(const Settings& settings, const std::string& name) const {
    if (is_model_file(name)) return model_file_definition(name, settings);
    model::Definition definition;
    try {
      definition = catalog_->load_model(name);
    } catch (const base::Error& error) {
      const bool from_suite = settings.models.has() && !settings.models.is_on_command_line();
      if (!from_suite) throw;
      throw settings.models.error(error.what());
    }
    if (settings.input_shapes.has())
      throw settings.input_shapes.error("the model '" + name +
                                        "' has its own inputs; use this only with --model FILE.pt or FILE.pt2");
    return definition;
  }

  void add_point(const Settings& settings, const MatrixPoint& point, const model::Definition& definition) {
    if (point.batch_size == 0) {
      add_open(settings, point, definition);
    } else {
      plan_.cases.push_back(resolve_case(settings, point, definition, host_));
    }
  }

  void add_open(const Settings& settings, const MatrixPoint& point, const model::Definition& definition) {
    OpenCase open{settings, point, definition, settings.batch_sizes.value().on(point.device)->searched.value(),
                  point_id(settings, point, definition, host_)};
    if (settings.dump_first_step.has())
      throw settings.batch_sizes.error("--dump-first-step needs a known batch size; give a number");
    schema::PlannedCase planned = open.first(host_);
    if (why_unsupported(planned.spec, host_.devices, host_.launched).empty()) {
      plan_.open.push_back(std::move(open));
    } else {
      plan_.cases.push_back(std::move(planned));
    }
  }

  // Returns the points that pass --filter. Only these are checked further.
  std::vector<MatrixPoint> choose(const Settings& settings, const model::Definition& definition) {
    const std::regex pattern = case_filter(settings.filter.value_or(""));
    std::vector<MatrixPoint> chosen;
    for (const MatrixPoint& point : points(settings, definition, host_)) {
      const std::string id = point_id(settings, point, definition, host_);
      if (!passes(id, pattern)) continue;
      const auto [same, added] = ids_.emplace(id, definition.sha256);
      if (!added && same->second != definition.sha256) {
        throw base::usage_error(definition.file + ": another model of the plan is also named '" + definition.name +
                                "'; change one of them with the key 'name'");
      }
      if (!added) {
        throw base::usage_error("the case " + id +
                                " appears twice in the plan; remove one (to run only some cases of a suite, use "
                                "--filter, for example --filter '^" +
                                definition.name + "/': --model would replace the model of every matrix)");
      }
      if (ids_.size() > kMostCases) {
        throw base::usage_error("the plan has more than " + std::to_string(kMostCases) +
                                " cases; narrow it with --filter, or run it in parts");
      }
      chosen.push_back(point);
    }
    return chosen;
  }

  const Catalog* catalog_;
  Host host_;
  std::map<std::string, std::string> ids_;  // the value is the definition's fingerprint
  PlannedCases plan_;
  std::optional<DoesNotFit> left_out_;
};

}  // namespace

schema::PlannedCase OpenCase::at_batch(std::int64_t batch_size, const Host& host) const {
  MatrixPoint closed = point;
  closed.batch_size = batch_size;
  return resolve_case(settings, closed, definition, host);
}

schema::PlannedCase OpenCase::first(const Host& host) const {
  try {
    return at_batch(definition.batch_size, host);
  } catch (const base::Error&) {
    return at_batch(1, host);
  }
}

PlannedCases plan_cases(const std::vector<Settings>& matrices, const Catalog& catalog, const Host& host) {
  CasePlanner planner(catalog, host);
  for (const Settings& settings : with_file_names(matrices)) planner.add(settings);
  PlannedCases plan = planner.take();
  if (plan.cases.empty() && plan.open.empty())
    throw base::usage_error("--filter: no case of the plan matches; to see all cases, use --dry-run without --filter");
  const std::size_t count = plan.cases.size() + plan.open.size();
  const bool dumps = !plan.cases.empty() && plan.cases.front().dump_first_step_path.has_value();
  if (dumps && count > 1) {
    throw base::usage_error(
        "--dump-first-step: the plan has " + std::to_string(count) +
        " cases, but it needs one; name one model, --mode, batch size, precision, engine, --depth and --prompt");
  }
  return plan;
}

}  // namespace mpsbench::suite
