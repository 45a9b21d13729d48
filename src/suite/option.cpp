#include "suite/option.hpp"

#include "base/units.hpp"
#include "model/training.hpp"
#include "suite/host.hpp"
#include "suite/option_forms.hpp"
#include "suite/option_values.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

namespace mpsbench::suite {
namespace {

using schema::CaseSpec;

template <typename OneSetting>
Option row(OneSetting Settings::* member, const char* short_name, std::string value_name, std::string help,
           OptionGroup group, Form<typename OneSetting::Value> form, OptionTraits traits = {}) {
  static const Settings kUnset;
  Option option;
  option.name = (kUnset.*member).name();
  option.short_name = short_name;
  option.value_name = std::move(value_name);
  option.help = std::move(help);
  option.group = group;
  option.kind = form.kind;
  option.choices = form.choices;
  option.traits = traits;
  option.schema = [form] { return value_schema(form); };
  option.in = [member](const Settings& all) -> const AnySetting& { return all.*member; };
  option.set = [member, form = std::move(form)](Settings& all, const std::string& text, const std::string& origin) {
    (all.*member).set(form.read(text, origin), origin);
  };
  option.clear = [member](Settings& all) { (all.*member).clear(); };
  option.overlay = [member](Settings& all, const Settings& above) {
    if ((above.*member).has()) all.*member = above.*member;
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

// The row of an option that sets MEMBER of the case as it is.
template <auto Member>
Option of_case(CaseSetting<Member> Settings::* setting, std::string value_name, std::string help, OptionGroup group,
               Form<ValueOf<Member>> form, OptionTraits traits = {}, const Effect<ValueOf<Member>>& effect = {}) {
  Option option = row(setting, "", std::move(value_name), std::move(help), group, std::move(form), traits);
  option.is_conditional = effect.applies != nullptr;
  option.apply = [setting, effect](const Settings& all, CaseSpec& spec) {
    if (effect.applies != nullptr && !effect.applies(spec)) return;
    if ((all.*setting).has()) {
      spec.*Member = (all.*setting).value();
    } else if (effect.usual) {
      spec.*Member = *effect.usual;  // NOLINT(bugprone-optional-value-conversion): it need not be optional
    }
  };
  return option;
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

constexpr OptionTraits kOfGates{.needs_gate = true, .is_refused_by_calibrate = true};
constexpr OptionTraits kRefusedByCalibrate{.is_refused_by_calibrate = true};
constexpr OptionTraits kBesideResume{.is_beside_resume = true};

std::vector<Option> workload_options() {  // NOLINT(readability-function-size): rows of a table
  constexpr auto kGroup = OptionGroup::workload;
  return {
      row(&Settings::models, "m", "NAME,...",
          "models to run: names, all, or paths to definitions, TorchScript files (.pt, .pth, .torchscript) or packages "
          "by AOTInductor (.pt2); the code in such a file will run. In this and every list, write \\, for a comma that "
          "is part of an item",
          kGroup, each(any_text())),
      row(&Settings::modes, "", names_text<schema::Mode>(","),
          "what to time; " + names_with_help<schema::Mode>() + " (default: train,infer)", kGroup,
          each(one_of<schema::Mode>())),
      row(&Settings::devices, "d", "NAME,...", alternatives(device_words()) + " (default: auto)", kGroup,
          each(Form<DeviceChoice>{.parse = parse_device, .pattern = "auto|cpu|mps(:0)?|cuda(:[0-9]{1,3})?|all"}),
          kOfNetworks),
      row(&Settings::batch_sizes, "b", "N,...",
          "rows per step: 1,8,32, a range 1-64*2, max, the largest that runs, or best, the smallest power of two "
          "within 2 % of the fastest; or for each device cpu=8,32,mps=1 (default: the model's)",
          kGroup, batch_sizes()),
      row(&Settings::precisions, "", names_text<schema::Precision>(","),
          names_with_help<schema::Precision>() + " (default: fp32)", kGroup, each(one_of<schema::Precision>()),
          kOfNetworks),
      row(&Settings::engines, "", names_text<schema::Engine>(","),
          "how steps are issued; " + names_with_help<schema::Engine>() + " (default: eager)", kGroup,
          each(one_of<schema::Engine>()), kOfNetworks),
      of_case(&Settings::compile_mode, names_text<schema::CompileMode>("|"),
              "how the engines compiled and compiled-graph compile; " + names_with_help<schema::CompileMode>() +
                  " (default: default)",
              kGroup, one_of<schema::CompileMode>(), kOfNetworks,
              {[](const CaseSpec& spec) { return row_of(spec.engine).packaged; }, schema::CompileMode::usual}),
      row(&Settings::input_shapes, "", "SHAPE,...",
          "shape of each input of --model FILE.pt or FILE.pt2, without the batch: 3x224x224, or 128:30522 for whole "
          "numbers below 30522",
          kGroup, each(input_shape())),
      of_case(&Settings::classes, "N", "number of outputs of the network (default: the model's)", kGroup,
              whole_number(1, std::numeric_limits<std::int32_t>::max())),
      of_case(&Settings::rows, "N",
              "rows to use: the first N rows of the data set (default: all), or N synthetic rows per epoch (default: "
              "the model's)",
              kGroup, whole_number(1)),
      of_case(&Settings::seed, "N", "random seed of weights, batch, dropout and order (default: 0)", kGroup,
              whole_number(0)),
      of_case(&Settings::input, names_text<schema::Input>("|"),
              "where each step's batch comes from; " + names_with_help<schema::Input>() + " (default: device)", kGroup,
              one_of<schema::Input>(), kOfNetworks, {[](const CaseSpec& spec) { return !has_files(spec); }}),
      of_case(&Settings::channels_last, "", "store image tensors in channels-last order", kGroup, flag(), kOfNetworks),
      of_case(&Settings::freeze_backbone, "", "train only the last layer that has parameters", kGroup, flag(),
              kOfNetworks, {trains}),
      of_case(&Settings::dropout, "P", "dropout probability (default: the model's)", kGroup, probability(),
              kOfNetworks),
      of_case(&Settings::optimizer, "NAME[:key=value...]",
              "sgd, adam, adamw or none, with settings as in sgd:lr=0.1:momentum=0.9 (default: the model's)", kGroup,
              Form<schema::OptimizerSpec>{
                  .parse = parse_optimizer,
                  .pattern = "(sgd|adam|adamw|none)(:[a-z_0-9]+=-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?)*"},
              kOfNetworks),
      of_case(&Settings::loss, "NAME", "loss function: " + base::join(model::loss_names()) + " (default: the model's)",
              kGroup, one_of(model::loss_names()), kOfNetworks),
      row(&Settings::weights, "", "FILE", "safetensors file of the initial weights, with state-dict names", kGroup,
          any_text(), kOfNetworks),
  };
}

std::vector<Option> process_options() {
  constexpr auto kGroup = OptionGroup::workload;
  constexpr std::int64_t kMaxThreads = 4096;
  constexpr std::int64_t kMaxRanks = 65'536;
  return {
      row(&Settings::threads, "", "N,...",
          "threads inside an operation: 1,2,4 or a range 1-8*2 (default: OMP_NUM_THREADS, otherwise all usable cores; "
          "on a Mac the performance cores)",
          kGroup, whole_numbers(kMaxThreads)),
      row(&Settings::ranks, "", "N,...",
          "processes on the CPU that train or infer together, each with its own batch: 1,2,4 or a range 1-8*2; "
          "gradients are averaged over all (default: 1, or all that a launcher has started)",
          kGroup, whole_numbers(kMaxRanks), kOfNetworks),
      row(&Settings::gpus, "", "N,...|all",
          "the same with one process on each of N NVIDIA GPUs: 1,2,4, a range or all (default: as for --ranks)", kGroup,
          gpu_counts(kMaxRanks), kOfNetworks),
      of_case(&Settings::scaling, names_text<schema::Scaling>("|"),
              "with several processes: " + names_with_help<schema::Scaling>() + " (default: weak)", kGroup,
              one_of<schema::Scaling>(), kOfRanks, {has_several_ranks}),
      of_case(&Settings::bucket_bytes, "SIZE",
              "with several processes: the most bytes of gradients that are averaged at once (default: three eighths "
              "of all, and at least 25MiB)",
              kGroup, byte_size(), kOfRanks,
              {[](const CaseSpec& spec) { return has_several_ranks(spec) && trains(spec); }}),
      row(&Settings::interop_threads, "", "N,...", "threads that run operations side by side (default: LibTorch's)",
          kGroup, whole_numbers(kMaxThreads), kOfNetworks),
      of_case(&Settings::affinity, "CPUS",
              "CPUs that the worker may use, as in 0-3,8; the default of --threads is then at most the number of their "
              "cores (default: all; only on Linux)",
              kGroup, cpu_list()),
  };
}

std::vector<Option> dataset_options() {
  constexpr auto kGroup = OptionGroup::workload;
  constexpr std::int64_t kMaxWorkers = 256;
  constexpr std::int64_t kDefaultWorkers = 2;  // as in the articles' scripts
  return {
      row(&Settings::dataset, "", "NAME", alternatives(schema::names_of<schema::Dataset>()) + " (default: synthetic)",
          kGroup, one_of<schema::Dataset>()),
      row(&Settings::data_dir, "", "DIR", "folder of the data set's files (default: data)", kGroup, any_text(),
          kOfFiles),
      row(&Settings::vocab, "", "FILE", "WordPiece vocabulary for trec (default: vocab.txt in the data set's folder)",
          kGroup, any_text(), kOfTexts),
      of_case(&Settings::trec_labels, "VERSION",
              "order of trec's labels, as in version 1.1.0 or 2.0.0 (default: 1.1.0)", kGroup,
              one_of<schema::TrecLabels>(), kOfTexts, {has_texts, schema::kDefaultTrecLabels}),
      of_case(&Settings::max_length, "N", "maximum tokens per text, including special tokens (default: the model's)",
              kGroup, whole_number(2, std::numeric_limits<std::int32_t>::max())),
      of_case(&Settings::pad, names_text<schema::Pad>("|"),
              "pad texts to --max-length (max) or to the longest of the batch (default: max)", kGroup,
              one_of<schema::Pad>(), kOfTexts, {has_texts, schema::Pad::max}),
      of_case(&Settings::tokenize, names_text<schema::Tokenize>("|"),
              "tokenize texts once, before the clock starts, or for each batch, in its step (default: once)", kGroup,
              one_of<schema::Tokenize>(), kOfTexts, {has_texts, schema::Tokenize::once}),
      of_case(&Settings::workers, "N", "threads that prepare images (default: 2)", kGroup, whole_number(0, kMaxWorkers),
              {.is_of_files = true, .is_of_images = true},
              {[](const CaseSpec& spec) { return has_files(spec) && !has_texts(spec); }, kDefaultWorkers}),
      of_case(&Settings::last_batch, names_text<schema::LastBatch>("|"),
              "with --epochs: leave out an epoch's last batch if it is not full (drop; inference fills it up), or run "
              "it with fewer rows (keep) (default: drop)",
              kGroup, one_of<schema::LastBatch>(), kOfFiles,
              // In a suite, it is for the cases that have such a batch.
              {[](const CaseSpec& spec) { return has_files(spec) && spec.epochs; }}),
      of_case(&Settings::shuffle, names_text<schema::Shuffle>("|"),
              "take training rows in a random order, drawn with --seed, or as the files have them (default: on)",
              kGroup, one_of<schema::Shuffle>(), kOfFiles,
              {[](const CaseSpec& spec) { return has_files(spec) && !row_of(spec.mode).reads_all; }}),
  };
}

std::vector<Option> measuring_options() {
  constexpr auto kGroup = OptionGroup::measuring;
  constexpr std::int64_t kMaxRepeats = 10'000;
  constexpr std::int64_t kMaxSamples = 4096;  // a launch keeps no more
  return {
      row(&Settings::warmup, "w", "auto|N|2s",
          "length of the warm-up: until times are steady, N steps, or a time (default: auto)", kGroup, warmup()),
      row(&Settings::min_time_seconds, "", "DURATION", "minimum measured time per launch (default: 0.5s)", kGroup,
          duration()),
      row(&Settings::max_time_seconds, "", "DURATION",
          "maximum time per case, including warm-up, divided among its launches (default: 10s)", kGroup,
          positive_duration()),
      row(&Settings::max_noise, "", "RATIO",
          "stop when the median is known to +-RATIO with 95 % confidence (default: 1%)", kGroup, ratio()),
      row(&Settings::min_samples, "", "N", "minimum samples per launch, up to 4096 (default: 10)", kGroup,
          whole_number(1, kMaxSamples)),
      row(&Settings::timeout_seconds, "", "DURATION", "end a launch that takes longer (default: 10m)", kGroup,
          positive_duration()),
      row(&Settings::rendezvous_timeout_seconds, "", "DURATION",
          "how long the processes of a launch wait to meet each other (default: 60s)", kGroup, positive_duration(),
          {.is_of_ranks = true}),
      row(&Settings::repeats, "r", "N", "launches per case (default: 3, and more if --time-limit allows)", kGroup,
          whole_number(1, kMaxRepeats)),
      row(&Settings::cooldown_seconds, "", "DURATION", "wait this long between launches (default: 0s)", kGroup,
          duration()),
      of_case(&Settings::epochs, "N", "measure N whole epochs instead of estimating one from the steps", kGroup,
              whole_number(1)),
      of_case(&Settings::iterations, "N", "time one loop of N steps", kGroup, whole_number(1)),
      of_case(&Settings::as_published, "",
              "with --epochs or --iterations: time as the published scripts did, without synchronising; inference with "
              "--iterations then repeats one batch with gradients on",
              kGroup, flag(), kOfNetworks),
      of_case(&Settings::max_batches, "N", "maximum timed steps per launch or, with --epochs, per epoch", kGroup,
              whole_number(1)),
  };
}

// Options that compare a run with another one.
std::vector<Option> gate_options() {
  constexpr auto kGroup = OptionGroup::output;
  constexpr auto kCommand = OptionGroup::command;
  return {
      row(&Settings::baseline, "", "FILE",
          "compare with this report of the same machine; adds the launches that the verdicts need", kCommand,
          any_text(), kRefusedByCalibrate),
      row(&Settings::versus, "", "WORKER",
          "also measure with this mpsbench-worker, in alternating launches, and compare the two", kCommand, any_text(),
          kRefusedByCalibrate),
      row(&Settings::threshold, "", "RATIO", kThresholdHelp, OptionGroup::measuring, threshold()),
      row(&Settings::gate_on, "", "METRIC[=RATIO],...", kGateOnHelp, OptionGroup::measuring, gate_on()),
      row(&Settings::alpha, "", "RATIO", kAlphaHelp, kGroup, alpha(), kOfGates),
      row(&Settings::budget_seconds, "", "DURATION",
          "maximum time for launches beyond --repeats that the verdicts need (default: 10m)", kGroup, duration(),
          kOfGates),
      row(&Settings::fail_on_regression, "", "", kFailOnRegressionHelp, kGroup, flag(), kOfGates),
      row(&Settings::fail_on_undecided, "", "", "exit with 1 when a case is undecided or could not be compared", kGroup,
          flag(), kOfGates),
      row(&Settings::force, "", "", "compare even if the reports are not comparable", kCommand, flag(), kOfGates),
  };
}

std::vector<Option> output_options() {
  constexpr auto kGroup = OptionGroup::output;
  constexpr auto kCommand = OptionGroup::command;
  constexpr std::int64_t kMaxEpochs = 1'000'000;
  return {
      row(&Settings::plain, "", "",
          "print only the seconds of --iterations, one line per case: CPU Time: 12.3456 seconds", kGroup, flag()),
      row(&Settings::price_dollars, "", "DOLLARS", "price of this machine; adds rows per second per 1,000 $", kGroup,
          positive_number()),
      row(&Settings::epochs_projected, "", "N", "also report and show the projected time of N training epochs", kGroup,
          whole_number(1, kMaxEpochs)),
      row(&Settings::percentiles, "", "P,...",
          "also report and show these percentiles of the step time, such as 50,95,99.9", kGroup, each(percentile())),
      row(&Settings::filter, "", "RE", "only cases whose id matches this regular expression", kGroup,
          regular_expression()),
      row(&Settings::host_name, "", "NAME", "name of this machine in the report", kGroup, host_name()),
      row(&Settings::ceilings, "", "", "first measure the devices' peak rates, then show each case's share of them",
          kGroup, flag()),
      row(&Settings::time_limit_seconds, "", "DURATION",
          "run as many launches as fit into it, 3 to 20 per case; if something else fixes their number (such as -r), "
          "start none later; --resume runs those that are left out",
          kGroup, positive_duration(), kBesideResume),
      row(&Settings::strict, "", "", "exit 3 when a named device is not usable here", kGroup, flag()),
      row(&Settings::quiet, "q", "", "write only warnings to stderr", kGroup, flag(), kBesideResume),
      row(&Settings::verbose, "", "", "write more to stderr", kGroup, flag(), kBesideResume),
      row(&Settings::log_file, "", "FILE", "also write the log to this file", kGroup, any_text(), kBesideResume),
      row(&Settings::no_progress, "", "", "show no progress on stderr", kGroup, flag(), kBesideResume),
      row(&Settings::color, "", "WHEN", "colour the output: auto, always or never (default: auto)", kGroup,
          one_of<ColourChoice>(), kBesideResume),
      row(&Settings::export_json, "", "FILE", "where to write the report (default: results/HOST-DATE-SUITE.json)",
          kCommand, any_text()),
      row(&Settings::dump_first_step, "", "FILE",
          "write the first step's inputs, logits, loss and gradients (one case, one launch, no cuDNN autotuning)",
          kCommand, any_text(), {.is_of_networks = true, .is_refused_by_calibrate = true}),
      row(&Settings::resume, "", "FILE", "continue the run of this journal or report; needs no other option", kCommand,
          any_text(), {.is_refused_by_calibrate = true, .is_beside_resume = true}),
      row(&Settings::dry_run, "", "", "show the plan and run nothing", kCommand, flag(), kBesideResume),
  };
}

std::vector<Option> all_options() {
  std::vector<Option> all;
  const auto add = [&all](const char* section, std::vector<Option> options) {
    for (Option& option : options) {
      option.section = section;
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

const Option* find_option(std::string_view name) {
  const auto found = std::ranges::find(options(), name, &Option::name);
  return found == options().end() ? nullptr : &*found;
}

}  // namespace mpsbench::suite
