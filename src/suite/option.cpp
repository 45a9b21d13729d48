#include "suite/option.hpp"

#include "base/units.hpp"
#include "model/training.hpp"
#include "suite/host.hpp"
#include "suite/option_forms.hpp"
#include "suite/option_values.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace mpsbench::suite {
namespace {

using schema::CaseSpec;

// The type of the setting that AT, called with Settings, returns.
template <typename At>
using SettingAt = std::remove_cvref_t<std::invoke_result_t<At, Settings&>>;

// AT is a member of Settings, or a function that returns a setting.
template <typename At>
Option row(At at, std::string value_name, std::string help, Form<typename SettingAt<At>::Value> form,
           const OptionTraits& traits = {}) {
  static const Settings kUnset;
  Option option;
  option.name = std::invoke(at, kUnset).name();
  option.value_name = std::move(value_name);
  option.help = std::move(help);
  option.kind = form.kind;
  option.choices = form.choices;
  option.traits = traits;
  option.schema = [form] { return value_schema(form); };
  option.in = [at](const Settings& all) -> const AnySetting& { return std::invoke(at, all); };
  option.set = [at, form = std::move(form)](Settings& all, const std::string& text, const std::string& origin) {
    std::invoke(at, all).set(form.read(text, origin), origin);
  };
  option.clear = [at](Settings& all) { std::invoke(at, all).clear(); };
  option.overlay = [at](Settings& all, const Settings& above) {
    if (const auto& one = std::invoke(at, above); one.has()) std::invoke(at, all) = one;
  };
  return option;
}

// When an option that sets a member of the case has an effect, and the value that the member then has
// without it. Otherwise the member stays as the case's defaults say.
template <typename Value>
struct Effect {
  bool (*applies)(const CaseSpec&) = nullptr;  // null: always
  std::optional<Value> usual = {};
};

// The row of an option that sets MEMBER of the case as it is. AT is as for row().
template <auto Member, typename At>
Option of_case_at(At at, std::string value_name, std::string help, Form<ValueOf<Member>> form,
                  const OptionTraits& traits, const Effect<ValueOf<Member>>& effect) {
  Option option = row(at, std::move(value_name), std::move(help), std::move(form), traits);
  option.is_conditional = effect.applies != nullptr;
  option.apply = [at, effect](const Settings& all, CaseSpec& spec) {
    if (effect.applies != nullptr && !effect.applies(spec)) return;
    if (const auto& setting = std::invoke(at, all); setting.has()) {
      spec.*Member = setting.value();
    } else if (effect.usual) {
      spec.*Member = *effect.usual;  // NOLINT(bugprone-optional-value-conversion): it need not be optional
    }
  };
  return option;
}

// The row if nothing else reads the setting.
template <auto Member>
Option of_case(std::string value_name, std::string help, Form<ValueOf<Member>> form, const OptionTraits& traits = {},
               const Effect<ValueOf<Member>>& effect = {}) {
  const auto at = [](auto& all) -> auto& { return all.of_case.template of<Member>(); };
  return of_case_at<Member>(at, std::move(value_name), std::move(help), std::move(form), traits, effect);
}

// The row if SETTING is read elsewhere, too.
template <auto Member>
Option of_case(CaseSetting<Member> Settings::* setting, std::string value_name, std::string help,
               Form<ValueOf<Member>> form, const OptionTraits& traits = {},
               const Effect<ValueOf<Member>>& effect = {}) {
  return of_case_at<Member>(setting, std::move(value_name), std::move(help), std::move(form), traits, effect);
}

// Joins the names of a closed set: "a,b,c", if BETWEEN is a comma.
template <schema::Closed Enum>
std::string names_text(const char* between) {
  return base::join(schema::names_of<Enum>(), between);
}

// Joins WORDS for a sentence: "a, b or c".
std::string alternatives(const std::vector<std::string>& words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 < words.size() ? ", " : " or ") + words[i];
  return text;
}

// Joins the names that have a help text with that text: "a is this; b or c is that".
template <schema::Closed Enum>
std::string names_with_help() {
  std::vector<std::pair<std::string_view, std::vector<std::string>>> told;
  for (const auto& row : schema::ClosedSet<Enum>::kRows) {
    if (row.help.empty()) continue;
    const auto same = std::find_if(told.begin(), told.end(), [&](const auto& one) { return one.first == row.help; });
    if (same == told.end()) {
      told.push_back({row.help, {std::string(row.name)}});
    } else {
      same->second.emplace_back(row.name);
    }
  }
  std::string text;
  for (const auto& [help, names] : told)
    text += (text.empty() ? "" : "; ") + alternatives(names) + " " + std::string(help);
  return text;
}

constexpr OptionTraits kOfNetworks{.is_of_networks = true};
constexpr OptionTraits kOfRows{.is_of_rows = true};
constexpr OptionTraits kOfSteps{.is_of_networks = true, .is_of_rows = true};
constexpr OptionTraits kOfGeneration{.is_of_networks = true, .is_of_generation = true};
constexpr OptionTraits kOfRanks{.is_of_networks = true, .is_of_ranks = true};
constexpr OptionTraits kOfFiles{.is_of_files = true};
constexpr OptionTraits kOfTexts{.is_of_files = true, .is_of_texts = true};

bool trains(const CaseSpec& spec) {
  return row_of(spec.mode).trains;
}
bool has_several_ranks(const CaseSpec& spec) {
  return spec.ranks > 1;
}
bool has_files(const CaseSpec& spec) {
  return row_of(spec.dataset).rows != schema::RowKind::drawn;
}
bool has_texts(const CaseSpec& spec) {
  return row_of(spec.dataset).rows == schema::RowKind::texts;
}

constexpr OptionTraits kOfGates{.place = OptionPlace::suite, .needs_gate = true, .is_refused_by_calibrate = true};
constexpr OptionTraits kOfRun{.place = OptionPlace::suite};
constexpr OptionTraits kBesideResume{.place = OptionPlace::suite, .is_beside_resume = true};

// Of a sequence, in each of its parts.
constexpr std::int64_t kMostTokens = 100'000'000;

std::vector<Option> workload_options() {  // NOLINT(readability-function-size): rows of a table
  return {
      row(&Settings::models, "NAME,...",
          "models to run: names, all, or paths to definitions, TorchScript files (.pt, .pth, .torchscript) or packages "
          "by AOTInductor (.pt2); the code in such a file will run. In this and every list, write \\, for a comma that "
          "is part of an item",
          each(any_text())),
      row(&Settings::modes, names_text<schema::Mode>(","),
          "what to time; " + names_with_help<schema::Mode>() + " (default: train,infer)", each(one_of<schema::Mode>())),
      row(&Settings::devices, "NAME,...", alternatives(device_words()) + " (default: auto)",
          each(Form<DeviceChoice>{.parse = parse_device, .pattern = device_pattern()}), kOfNetworks),
      row(&Settings::batch_sizes, "N,...",
          "rows per step: 1,8,32, a range 1-64*2, max, the largest that runs, or best, the smallest power of two "
          "within 2 % of the fastest; or for each device cpu=8,32,mps=1 (default: the model's)",
          batch_sizes()),
      row(&Settings::precisions, names_text<schema::Precision>(","),
          names_with_help<schema::Precision>() + " (default: fp32)", each(one_of<schema::Precision>()), kOfNetworks),
      row(&Settings::engines, names_text<schema::Engine>(","),
          "how steps are issued; " + names_with_help<schema::Engine>() + " (default: eager)",
          each(one_of<schema::Engine>()), kOfNetworks),
      of_case(&Settings::compile_mode, names_text<schema::CompileMode>("|"),
              "how the engines compiled and compiled-graph compile; " + names_with_help<schema::CompileMode>() +
                  " (default: default)",
              one_of<schema::CompileMode>(), kOfNetworks,
              {[](const CaseSpec& spec) { return row_of(spec.engine).packaged; }, schema::CompileMode::usual}),
      row(&Settings::input_shapes, "SHAPE,...",
          "shape of each input of --model FILE.pt or FILE.pt2, without the batch: 3x224x224, or 128:30522 for whole "
          "numbers below 30522",
          each(input_shape())),
      of_case(&Settings::classes, "N", "number of outputs of the network (default: the model's)",
              whole_number(1, std::numeric_limits<std::int32_t>::max())),
      of_case(&Settings::rows, "N",
              "rows to use: the first N rows of the data set (default: all), or N synthetic rows per epoch (default: "
              "the model's)",
              whole_number(1), kOfRows),
      of_case(&Settings::seed, "N", "random seed of weights, batch, dropout and order (default: 0)", whole_number(0)),
      of_case(&Settings::input, names_text<schema::Input>("|"),
              "where each step's batch comes from; " + names_with_help<schema::Input>() + " (default: device)",
              one_of<schema::Input>(), kOfSteps, {[](const CaseSpec& spec) { return !has_files(spec); }}),
      of_case<&CaseSpec::channels_last>("", "store image tensors in channels-last order", flag(), kOfNetworks),
      of_case<&CaseSpec::freeze_backbone>("", "train only the last layer that has parameters", flag(), kOfSteps,
                                          {trains}),
      of_case<&CaseSpec::dropout>("P", "dropout probability (default: the model's)", probability(), kOfSteps),
      row(&Settings::parameters, "NAME=NUMBER,...",
          "change parameters of the model's definition, such as layers=4,hidden=512", each(parameter_change()),
          kOfNetworks),
      of_case(&Settings::optimizer, "NAME[:key=value...]",
              "sgd, adam, adamw or none, with settings as in sgd:lr=0.1:momentum=0.9 (default: the model's)",
              Form<schema::OptimizerSpec>{
                  .parse = parse_optimizer,
                  .pattern = "(sgd|adam|adamw|none)(:[a-z_0-9]+=-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?)*"},
              kOfSteps),
      of_case<&CaseSpec::loss>("NAME", "loss function: " + base::join(model::loss_names()) + " (default: the model's)",
                               one_of(model::loss_names()), kOfSteps),
      row(&Settings::weights, "FILE", "safetensors file of the initial weights, with state-dict names", any_text(),
          kOfNetworks),
      row(&Settings::prompts, "N,...",
          "with --mode generate: tokens of a prompt, 512 or a range 128-4096*2 (default: 512)",
          whole_numbers(1, kMostTokens), kOfGeneration),
      of_case<&CaseSpec::generate>("N", "with --mode generate: tokens that continue it (default: 128)",
                                   whole_number(schema::kLeastGenerated, kMostTokens), kOfGeneration),
      row(&Settings::depths, "N,...",
          "with --mode generate: tokens that are in the cache before the prompt, such as 0,4096 (default: 0)",
          whole_numbers(0, kMostTokens), kOfGeneration),
  };
}

std::vector<Option> process_options() {
  constexpr std::int64_t kMaxThreads = 4096;
  constexpr std::int64_t kMaxRanks = 65'536;
  return {
      row(&Settings::threads, "N,...",
          "threads inside an operation: 1,2,4 or a range 1-8*2 (default: OMP_NUM_THREADS, otherwise all usable cores; "
          "on a Mac the performance cores)",
          whole_numbers(1, kMaxThreads)),
      row(&Settings::ranks, "N,...",
          "processes on the CPU that train or infer together, each with its own batch: 1,2,4 or a range 1-8*2; "
          "gradients are averaged over all (default: 1, or all that a launcher has started)",
          whole_numbers(1, kMaxRanks), kOfNetworks),
      row(&Settings::gpus, "N,...|all",
          "the same with one process on each of N NVIDIA GPUs: 1,2,4, a range or all (default: as for --ranks)",
          gpu_counts(kMaxRanks), kOfNetworks),
      of_case(&Settings::scaling, names_text<schema::Scaling>("|"),
              "with several processes: " + names_with_help<schema::Scaling>() + " (default: weak)",
              one_of<schema::Scaling>(), kOfRanks, {has_several_ranks}),
      of_case<&CaseSpec::bucket_bytes>(
          "SIZE",
          "with several processes: the most bytes of gradients that are averaged at once (default: three eighths "
          "of all, and at least 25MiB)",
          byte_size(), kOfRanks, {[](const CaseSpec& spec) { return has_several_ranks(spec) && trains(spec); }}),
      row(&Settings::interop_threads, "N,...", "threads that run operations side by side (default: LibTorch's)",
          whole_numbers(1, kMaxThreads), kOfNetworks),
      of_case(&Settings::affinity, "CPUS",
              "CPUs that the worker may use, as in 0-3,8; the default of --threads is then at most the number of their "
              "cores (default: all; only on Linux)",
              cpu_list()),
  };
}

std::vector<Option> dataset_options() {
  constexpr std::int64_t kMaxWorkers = 256;
  constexpr std::int64_t kDefaultWorkers = 2;  // as in the articles' scripts
  return {
      row(&Settings::dataset, "NAME", alternatives(schema::names_of<schema::Dataset>()) + " (default: synthetic)",
          one_of<schema::Dataset>(), kOfRows),
      row(&Settings::data_dir, "DIR", "folder of the data set's files (default: data)", any_text(), kOfFiles),
      row(&Settings::vocab, "FILE", "WordPiece vocabulary for trec (default: vocab.txt in the data set's folder)",
          any_text(), kOfTexts),
      of_case<&CaseSpec::trec_labels>("VERSION",
                                      "order of trec's labels, as in version 1.1.0 or 2.0.0 (default: 1.1.0)",
                                      one_of<schema::TrecLabels>(), kOfTexts, {has_texts, schema::kDefaultTrecLabels}),
      of_case<&CaseSpec::max_length>("N", "maximum tokens per text, including special tokens (default: the model's)",
                                     whole_number(2, std::numeric_limits<std::int32_t>::max()), kOfRows),
      of_case(&Settings::pad, names_text<schema::Pad>("|"),
              "pad texts to --max-length (max) or to the longest of the batch (default: max)", one_of<schema::Pad>(),
              kOfTexts, {has_texts, schema::Pad::max}),
      of_case<&CaseSpec::tokenize>(
          names_text<schema::Tokenize>("|"),
          "tokenize texts once, before the clock starts, or for each batch, in its step (default: once)",
          one_of<schema::Tokenize>(), kOfTexts, {has_texts, schema::Tokenize::once}),
      of_case<&CaseSpec::workers>(
          "N", "threads that prepare images (default: 2)", whole_number(0, kMaxWorkers),
          {.is_of_files = true, .is_of_images = true},
          {[](const CaseSpec& spec) { return has_files(spec) && !has_texts(spec); }, kDefaultWorkers}),
      of_case(&Settings::last_batch, names_text<schema::LastBatch>("|"),
              "with --epochs: leave out an epoch's last batch if it is not full (drop; inference fills it up), or run "
              "it with fewer rows (keep) (default: drop)",
              one_of<schema::LastBatch>(), kOfFiles,
              // In a suite, it is for the cases that have such a batch.
              {[](const CaseSpec& spec) { return has_files(spec) && spec.epochs; }}),
      of_case(&Settings::shuffle, names_text<schema::Shuffle>("|"),
              "take training rows in a random order, drawn with --seed, or as the files have them (default: on)",
              one_of<schema::Shuffle>(), kOfFiles,
              {[](const CaseSpec& spec) { return has_files(spec) && !row_of(spec.mode).reads_all; }}),
  };
}

std::vector<Option> measuring_options() {
  constexpr std::int64_t kMaxRepeats = 10'000;
  constexpr std::int64_t kMaxSamples = 4096;  // a launch keeps no more
  return {
      row(&Settings::warmup, "auto|N|2s",
          "length of the warm-up: until times are steady, N steps, or a time (default: auto)", warmup()),
      row(&Settings::min_time_seconds, "DURATION", "minimum measured time per launch (default: 0.5s)", duration()),
      row(&Settings::max_time_seconds, "DURATION",
          "maximum time per case, including warm-up, divided among its launches (default: 10s)", positive_duration()),
      row(&Settings::max_noise, "RATIO", "stop when the median is known to +-RATIO with 95 % confidence (default: 1%)",
          ratio()),
      row(&Settings::min_samples, "N", "minimum samples per launch, up to 4096 (default: 10)",
          whole_number(1, kMaxSamples)),
      row(&Settings::timeout_seconds, "DURATION", "end a launch that takes longer (default: 10m)", positive_duration()),
      row(&Settings::rendezvous_timeout_seconds, "DURATION",
          "how long the processes of a launch wait to meet each other (default: 60s)", positive_duration(),
          {.is_of_ranks = true}),
      row(&Settings::repeats, "N", "launches per case (default: 3, and more if --time-limit allows)",
          whole_number(1, kMaxRepeats)),
      row(&Settings::cooldown_seconds, "DURATION", "wait this long between launches (default: 0s)", duration()),
      of_case(&Settings::epochs, "N", "measure N whole epochs instead of estimating one from the steps",
              whole_number(1), kOfRows),
      of_case(&Settings::iterations, "N", "time one loop of N steps", whole_number(1), kOfRows),
      of_case(&Settings::as_published, "",
              "with --epochs or --iterations: time as the published scripts did, without synchronising; inference with "
              "--iterations then repeats one batch with gradients on",
              flag(), kOfSteps),
      of_case<&CaseSpec::max_batches>("N", "maximum timed steps per launch or, with --epochs, per epoch",
                                      whole_number(1), kOfRows),
  };
}

// Options that compare a run with another one.
std::vector<Option> gate_options() {
  return {
      row(&Settings::baseline, "FILE",
          "compare with this report of the same machine; adds the launches that the verdicts need", any_text(),
          {.place = OptionPlace::command_line, .is_refused_by_calibrate = true}),
      row(&Settings::versus, "WORKER",
          "also measure with this mpsbench-worker, in alternating launches, and compare the two", any_text(),
          {.place = OptionPlace::command_line, .is_refused_by_calibrate = true}),
      row(&Settings::threshold, "RATIO", kThresholdHelp, threshold()),
      row(&Settings::gate_on, "METRIC[=RATIO],...", kGateOnHelp, gate_on()),
      row(&Settings::alpha, "RATIO", kAlphaHelp, alpha(), kOfGates),
      row(&Settings::budget_seconds, "DURATION",
          "maximum time for launches beyond --repeats that the verdicts need (default: 10m)", duration(), kOfGates),
      row(&Settings::fail_on_regression, "", kFailOnRegressionHelp, flag(), kOfGates),
      row(&Settings::fail_on_undecided, "", "exit with 1 when a case is undecided or could not be compared", flag(),
          kOfGates),
      row(&Settings::force, "", "compare even if the reports are not comparable", flag(),
          {.place = OptionPlace::command_line, .needs_gate = true, .is_refused_by_calibrate = true}),
  };
}

std::vector<Option> output_options() {
  constexpr std::int64_t kMaxEpochs = 1'000'000;
  return {
      row(&Settings::plain, "", "print only the seconds of --iterations, one line per case: CPU Time: 12.3456 seconds",
          flag(), kOfRun),
      row(&Settings::price_dollars, "DOLLARS", "price of this machine; adds rows per second per 1,000 $",
          positive_number(), kOfRun),
      row(&Settings::epochs_projected, "N", "also report and show the projected time of N training epochs",
          whole_number(1, kMaxEpochs), kOfRun),
      row(&Settings::percentiles, "P,...",
          "also report and show these percentiles of the step time (generation: of a token's), such as 50,95,99.9",
          each(percentile()), kOfRun),
      row(&Settings::filter, "RE", "only cases whose id matches this regular expression", regular_expression(), kOfRun),
      row(&Settings::host_name, "NAME", "name of this machine in the report", host_name(), kOfRun),
      row(&Settings::ceilings, "", "first measure the devices' peak rates, then show each case's share of them", flag(),
          kOfRun),
      row(&Settings::time_limit_seconds, "DURATION",
          "run as many launches as fit into it, 3 to 20 per case; if something else fixes their number (such as -r), "
          "start none later; --resume runs those that are left out",
          positive_duration(), kBesideResume),
      row(&Settings::strict, "", "exit 3 when a named device is not usable here", flag(), kOfRun),
      row(&Settings::quiet, "", "write only warnings to stderr", flag(), kBesideResume),
      row(&Settings::verbose, "", "write more to stderr", flag(), kBesideResume),
      row(&Settings::log_file, "FILE", "also write the log to this file", any_text(), kBesideResume),
      row(&Settings::no_progress, "", "show no progress on stderr", flag(), kBesideResume),
      row(&Settings::color, "WHEN", "colour the output: auto, always or never (default: auto)", one_of<ColourChoice>(),
          kBesideResume),
      row(&Settings::export_json, "FILE", "where to write the report (default: results/HOST-DATE-SUITE.json)",
          any_text(), {.place = OptionPlace::command_line}),
      row(&Settings::dump_first_step, "FILE",
          "write the first step's inputs, logits, loss and gradients (one case, one launch, no cuDNN autotuning)",
          any_text(), {.place = OptionPlace::command_line, .is_of_networks = true, .is_refused_by_calibrate = true}),
      row(&Settings::resume, "FILE", "continue the run of this journal or report; needs no other option", any_text(),
          {.place = OptionPlace::command_line, .is_refused_by_calibrate = true, .is_beside_resume = true}),
      row(&Settings::dry_run, "", "show the plan and run nothing", flag(),
          {.place = OptionPlace::command_line, .is_beside_resume = true}),
  };
}

constexpr std::pair<const char*, const char*> kShortNames[] = {{"model", "m"},  {"device", "d"},  {"batch-size", "b"},
                                                               {"warmup", "w"}, {"repeats", "r"}, {"quiet", "q"}};

std::vector<Option> all_options() {
  std::vector<Option> all;
  const auto add = [&all](const char* section, std::vector<Option> options) {
    for (Option& option : options) {
      option.section = section;
      for (const auto& [name, letter] : kShortNames) {
        if (option.name == name) option.short_name = letter;
      }
      all.push_back(std::move(option));
    }
  };
  add("What to measure", workload_options());
  add("In which processes", process_options());
  add("On which data", dataset_options());
  add("How long", measuring_options());
  add("Comparing", gate_options());
  add("What to show and write", output_options());
  return all;
}

}  // namespace

const std::vector<Option>& options() {
  static const std::vector<Option> kOptions = all_options();
  return kOptions;
}

void apply_options(const Settings& settings, schema::CaseSpec& spec) {
  // Whether an option has an effect may depend on the others.
  for (const bool is_conditional : {false, true}) {
    for (const Option& option : options()) {
      if (option.apply && option.is_conditional == is_conditional) option.apply(settings, spec);
    }
  }
}

void refuse_options(const Settings& settings, bool OptionTraits::* trait, const std::string& why) {
  for (const Option& option : options()) {
    if (const AnySetting& one = option.in(settings); option.traits.*trait && one.has()) throw one.error(why);
  }
}

const Option* find_option(std::string_view name) {
  const auto found = std::ranges::find(options(), name, &Option::name);
  return found == options().end() ? nullptr : &*found;
}

const BatchChoice* BatchSizes::on(const schema::DeviceId& device) const {
  if (by_device.empty()) return &everywhere;
  const BatchChoice* of_kind = nullptr;
  for (const auto& [own, choice] : by_device) {
    if (own == device) return &choice;
    if (own == schema::DeviceId(device.kind)) of_kind = &choice;
  }
  return of_kind;
}

Settings Settings::overlaid_with(const Settings& above) const {
  Settings merged = *this;
  for (const Option& option : options()) option.overlay(merged, above);
  if (above.iterations.has() && !above.epochs.has()) merged.epochs.clear();
  if (above.epochs.has() && !above.iterations.has()) merged.iterations.clear();
  return merged;
}

}  // namespace mpsbench::suite
