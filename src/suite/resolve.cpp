#include "suite/resolve.hpp"

#include "base/log.hpp"
#include "base/safetensors.hpp"
#include "base/units.hpp"
#include "model/build_network_plan.hpp"
#include "model/memory.hpp"
#include "model/training.hpp"
#include "schema/weights_check.hpp"
#include "suite/case_id.hpp"
#include "suite/dataset_choice.hpp"
#include "suite/model_file.hpp"
#include "suite/option.hpp"
#include "suite/ranks.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

namespace mpsbench::suite {
namespace {

namespace fs = std::filesystem;

// Leaves out values that the definition has anyway, so that a case has one id.
std::map<std::string, double> changed_parameters(const Settings& settings, const model::Definition& definition,
                                                 schema::Mode mode) {
  std::map<std::string, double> changed;
  for (const auto& [name, value] : settings.parameters.value_or({})) {
    if (const std::string option = model::option_of(name); option != model::kSetOption)
      throw settings.parameters.error("'" + name + "' has an option of its own; use " +
                                      (row_of(mode).generates && name == "tokens" ? "--prompt" : option));
    if (find_option(name))
      throw settings.parameters.error("'" + name + "' is also an option, and an id could not tell them apart; rename " +
                                      "the parameter in the definition");
    if (!changed.emplace(name, value).second) throw settings.parameters.error("'" + name + "' is set twice");
  }
  std::erase_if(changed, [&](const auto& one) { return model::is_own_value(definition, one.first, one.second); });
  return changed;
}

// The spec as far as it is known before the files of a data set are opened. Without --rows, the rows of a
// data set are still 0.
schema::CaseSpec make_spec(const Settings& settings, const MatrixPoint& point, const model::Definition& definition,
                           const Host& host) {
  schema::CaseSpec spec;
  spec.model = definition.name;
  spec.mode = point.mode;
  spec.device = point.device;
  spec.batch_size = point.batch_size;
  spec.ranks = point.ranks;
  spec.precision = point.precision;
  spec.engine = point.engine;
  if (has_dataset(settings)) spec.dataset = settings.dataset.value();
  spec = default_spec(spec, definition, default_threads(settings, host, point.ranks));
  apply_options(settings, spec);
  spec.threads = point.threads.value_or(spec.threads);
  spec.interop_threads = point.interop_threads;
  if (point.prompt) spec.prompt = point.prompt;
  if (point.depth) spec.depth = point.depth;
  // A network without dropout accepts --dropout 0, so that the option can be used with a list of models.
  if (!definition.dropout && spec.dropout == 0) spec.dropout = std::nullopt;
  spec.parameters = changed_parameters(settings, definition, point.mode);
  if (settings.weights.has()) spec.weights = name_in_ids(settings, settings.weights.value());
  return spec;
}

// The text of a launch's share of the time.
std::string share_text(const schema::MeasureSpec& measure) {
  return base::format_duration(measure.max_time_seconds) +
         " that a launch has (--max-time divided by --repeats); raise --max-time";
}

// Epochs and iterations have no limit of time.
void require_time_for_warmup(const Settings& settings, const schema::MeasureSpec& measure) {
  if (!settings.warmup.has() || settings.epochs.has() || settings.iterations.has()) return;
  if (measure.warmup.kind == schema::WarmupSpec::Kind::seconds && measure.warmup.amount >= measure.max_time_seconds)
    throw settings.warmup.error("must be shorter than the " + share_text(measure));
}

schema::MeasureSpec make_measure(const Settings& settings, schema::Mode mode, std::int64_t repeats) {
  schema::MeasureSpec measure;
  if (row_of(mode).generates) measure.min_samples = schema::kLeastSequences;
  measure.warmup = settings.warmup.value_or(measure.warmup);
  measure.min_time_seconds = settings.min_time_seconds.value_or(measure.min_time_seconds);
  measure.max_time_seconds = settings.max_time_seconds.value_or(measure.max_time_seconds);
  measure.max_time_seconds /= static_cast<double>(repeats);
  if (settings.min_time_seconds.has() && measure.min_time_seconds > measure.max_time_seconds)
    throw settings.min_time_seconds.error("must not exceed the " + share_text(measure));
  require_time_for_warmup(settings, measure);
  // With files, the measured epochs must be the network's first ones, so there is no warm-up by default.
  if (has_dataset(settings) && settings.epochs.has() && !settings.warmup.has())
    measure.warmup = {schema::WarmupSpec::Kind::steps, 0};
  measure.max_noise = settings.max_noise.value_or(measure.max_noise);
  measure.min_samples = settings.min_samples.value_or(measure.min_samples);
  return measure;
}

void take_files(const Settings& settings, const DatasetChoice& choice, schema::PlannedCase& planned) {
  planned.spec.rows = dataset_rows(settings, choice, planned.spec.mode);
  planned.spec.data_files = choice.files;
  planned.data_path = choice.folder;
  if (!choice.vocabulary.empty()) planned.vocabulary_path = choice.vocabulary;
}

void require_whole_epoch(const Settings& settings, const schema::CaseSpec& spec) {
  // With a data set, require_fit checks this, whether or not --epochs is set.
  if (spec.dataset == schema::Dataset::synthetic && row_of(spec.mode).trains && spec.epochs &&
      schema::rows_per_step(spec) > spec.rows) {
    throw settings.epochs.error("an epoch of " + std::to_string(spec.rows) + " rows has no whole step of " +
                                std::to_string(schema::rows_per_step(spec)) + "; lower --batch-size or raise --rows");
  }
}

// An engine that replays a captured step cannot do so at once.
void require_steps_before_capture(const Settings& settings, const schema::CaseSpec& spec) {
  if (!row_of(spec.engine).captured || !settings.warmup.has()) return;
  const schema::WarmupSpec& warmup = settings.warmup.value();
  const bool is_short = warmup.kind == schema::WarmupSpec::Kind::steps
                            ? warmup.amount < static_cast<double>(schema::kStepsBeforeCapture)
                            : warmup.kind == schema::WarmupSpec::Kind::seconds && warmup.amount <= 0;
  if (is_short)
    throw settings.warmup.error("--engine " + to_string(spec.engine) + " runs " +
                                std::to_string(schema::kStepsBeforeCapture) +
                                " steps before it can capture one; warm up for as many, or use --engine eager");
}

// Accuracies are counted for the measured epochs, so these must be the network's first ones.
void require_first_epochs(const Settings& settings, const schema::CaseSpec& spec) {
  if (!spec.epochs || !row_of(spec.mode).trains || spec.dataset == schema::Dataset::synthetic) return;
  if (settings.warmup.has() && to_string(settings.warmup.value()) != "0") {
    throw settings.warmup.error(
        "accuracies of epochs over a data set need the network's first epochs, without a warm-up; leave it out");
  }
}

// Rows are counted per epoch, so a smaller batch must be the last of a measured epoch.
void require_epochs_of_last_batch(const Settings& settings, const schema::CaseSpec& spec) {
  if (settings.last_batch.optional() == schema::LastBatch::keep && !spec.epochs &&
      settings.last_batch.is_on_command_line())
    throw settings.last_batch.error("keep needs whole epochs; add --epochs N");
  if (spec.last_batch == schema::LastBatch::keep && row_of(spec.engine).one_shape)
    throw settings.last_batch.error("keep makes the last batch smaller, but --engine " + to_string(spec.engine) +
                                    " runs steps of one shape; use drop or --engine eager");
}

// Refuses options that do not fit a single timed loop.
void require_one_loop(const Settings& settings, const schema::CaseSpec& spec) {
  if (spec.iterations && (spec.epochs || spec.max_batches))
    throw settings.iterations.error("already sets the number of steps; leave out --" +
                                    std::string(spec.epochs ? "epochs" : "max-batches"));
  // A suite's limit may be meant for its other cases.
  if (settings.iterations.is_on_command_line() && settings.max_time_seconds.is_on_command_line())
    throw settings.iterations.error("times all N steps, however long they take; leave out --max-time, or --iterations");
  if (spec.optimizer.name == "none" && spec.precision == schema::Precision::fp16 && row_of(spec.mode).trains) {
    throw settings.optimizer.error(
        "with none, gradients add up over all steps, which fp16's loss scaling does not allow; use --precision bf16 or "
        "fp32");
  }
  if (!spec.as_published) return;
  if (!spec.epochs && !spec.iterations)
    throw settings.as_published.error("the published scripts timed whole loops; add --epochs N or --iterations N");
  if (settings.dump_first_step.has())
    throw settings.as_published.error(
        "the measured time would include writing the first step; leave out --dump-first-step");
  if (settings.warmup.has())
    throw settings.as_published.error("the published scripts had no warm-up; leave out --warmup");
  if (spec.engine != schema::Engine::eager)
    throw settings.as_published.error("the published scripts ran eagerly; use --engine eager");
}

// Returns 0 if it is not known.
std::int64_t memory_of(const schema::DeviceId& device, const Host& host) {
  if (device.row().is_host || !host.devices) return host.memory_bytes;
  const std::vector<schema::DeviceStatus>& all = host.devices();
  const auto found = std::ranges::find(all, device, &schema::DeviceStatus::device);
  return found == all.end() ? 0 : found->memory_bytes.value_or(0);
}

void require_memory(const Settings& settings, const schema::NetworkPlan& plan, const schema::CaseSpec& spec,
                    const Host& host) {
  const model::MemoryForecast memory = model::forecast_memory(plan, spec);
  const bool asks = asks_for_models(settings);
  const double needed = asks ? memory.certain() : memory.total();
  const auto available = static_cast<double>(memory_of(spec.device, host));
  if (available == 0 || needed <= available) return;
  const bool trains = row_of(spec.mode).trains;
  const std::string shortage =
      "'" + plan.model + "': weights" + (trains ? ", gradients, the optimizer's averages" : "") +
      (plan.cache ? ", the cache" : "") + (asks ? " and one batch need " : ", one batch and activations need about ") +
      base::format_bytes(needed) + ", more than the " + base::format_bytes(available) + " of " +
      (spec.device.row().is_host ? "this machine" : to_string(spec.device));
  if (memory.batch > memory.certain() / 2) throw settings.batch_sizes.error(shortage + "; lower --batch-size");
  if (memory.cache > memory.certain() / 2)
    throw settings.batch_sizes.error(shortage + "; lower --batch-size, --depth or --prompt");
  const bool can_infer = trains && memory.weights + memory.batch <= available;
  throw DoesNotFit(shortage, settings.models.error(shortage + (can_infer ? "; use --mode infer," : "; use") +
                                                   " fewer layers (--set) or a smaller model"));
}

// A network that cannot generate, or has no weights to quantize, is left out if the user did not name it.
schema::NetworkPlan plan_network(const Settings& settings, const model::Definition& definition,
                                 const schema::CaseSpec& spec) {
  try {
    return model::plan_of(definition, spec);
  } catch (const base::Error& error) {
    const bool may_not_fit = row_of(spec.mode).generates || row_of(spec.precision).weight_bits > 0;
    if (!may_not_fit || asks_for_models(settings)) throw;
    throw DoesNotFit(error.what(), error);
  }
}

// Says once for each file what a network does without and what of the file it does not use.
void remark_on_weights(const schema::WeightsMatch& match, const std::string& file) {
  static std::set<std::string> said;
  const std::string line = file + ": " + schema::remark_on(match);
  if (line.ends_with(": ") || !said.insert(line).second) return;
  match.drawn.empty() ? base::log::info(line) : base::log::warn(line);
}

// Throws if the model file FILE cannot be run like this.
void require_fitting_options(const Settings& settings, const schema::CaseSpec& spec, const std::string& file) {
  if (!is_model_file(file))
    throw base::usage_error(file +
                            ": a definition must not have a layer for model files; use --model FILE.pt or FILE.pt2");
  if (row_of(spec.engine).packaged)
    throw settings.engines.error("a model file runs as it is and cannot be compiled; use --engine eager");
  if (settings.weights.has()) throw settings.weights.error("a model file has its own weights; leave it out");
  if (!is_package_file(file)) return;
  if (row_of(spec.mode).trains) throw settings.modes.error("a package (.pt2) can only infer; use --mode infer");
  if (spec.precision != schema::Precision::fp32)
    throw settings.precisions.error("a package (.pt2) has its own precision; leave it out");
}

}  // namespace

bool asks_for_models(const Settings& settings) {
  return settings.models.is_on_command_line() && std::ranges::count(settings.models.value(), kAllModels) == 0;
}

std::int64_t default_threads(const Settings& settings, const Host& host, std::int64_t ranks) {
  const std::int64_t all = settings.affinity.has() && host.cpus
                               ? std::min(host.default_threads, cores_of(settings.affinity.value(), *host.cpus))
                               : host.default_threads;
  const std::int64_t sharing = host.launched ? std::min(ranks, host.launched->sharing) : ranks;
  return std::max<std::int64_t>(1, all / sharing);
}

std::string point_id(const Settings& settings, const MatrixPoint& point, const model::Definition& definition,
                     const Host& host) {
  return case_id(make_spec(heeded(settings, point.mode), point, definition, host), definition,
                 default_threads(settings, host, point.ranks),
                 point.batch_size == 0 ? settings.batch_sizes.value().on(point.device)->searched : std::nullopt);
}

schema::PlannedCase resolve_case(const Settings& given, const MatrixPoint& point, const model::Definition& definition,
                                 const Host& host) {
  const Settings settings = heeded(given, point.mode);
  schema::PlannedCase planned;
  planned.spec = make_spec(settings, point, definition, host);
  planned.id = case_id(planned.spec, definition, default_threads(settings, host, point.ranks));
  planned.definition_sha256 = definition.sha256;
  if (has_dataset(settings)) take_files(settings, choose_dataset(settings), planned);
  planned.repeats = settings.dump_first_step.has() ? 1 : settings.repeats.value_or(planned.repeats);
  planned.measure = make_measure(settings, planned.spec.mode, planned.repeats);
  planned.timeout_seconds = settings.timeout_seconds.value_or(planned.timeout_seconds);
  planned.rendezvous_timeout_seconds = settings.rendezvous_timeout_seconds.value_or(planned.rendezvous_timeout_seconds);
  planned.cooldown_seconds = settings.cooldown_seconds.value_or(planned.cooldown_seconds);
  planned.threshold = settings.threshold.optional();
  planned.gate_on = settings.gate_on.value_or({});
  require_whole_epoch(settings, planned.spec);
  require_first_epochs(settings, planned.spec);
  require_steps_before_capture(settings, planned.spec);
  require_one_loop(settings, planned.spec);
  require_epochs_of_last_batch(settings, planned.spec);
  require_fitting_ranks(settings, planned.spec);

  const schema::CaseSpec& spec = planned.spec;
  const schema::NetworkPlan plan = plan_network(settings, definition, spec);
  require_memory(settings, plan, spec, host);
  if (has_dataset(settings)) require_fit(settings, choose_dataset(settings), plan, spec);
  if (schema::runs_model_file(plan)) {
    require_fitting_options(settings, spec, definition.file);
    planned.weights_path = fs::absolute(definition.file).lexically_normal().string();
  } else if (const auto weights = settings.weights.optional()) {
    remark_on_weights(schema::match_weights(base::read_safetensors_header(*weights), plan, *weights), *weights);
    planned.weights_path = fs::absolute(*weights).lexically_normal().string();
  }
  if (const auto dump = settings.dump_first_step.optional()) {
    planned.dump_first_step_path = fs::absolute(*dump).lexically_normal().string();
  }
  return planned;
}

}  // namespace mpsbench::suite
