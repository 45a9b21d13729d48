#include "suite/option.hpp"

#include "model/loss.hpp"
#include "suite/device_names.hpp"
#include "suite/optimizer_text.hpp"
#include "suite/option_forms.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace mpsbench::suite {
namespace {

constexpr OptionTraits kOfNetworks{.is_of_networks = true};
constexpr OptionTraits kOfGates{.needs_gate = true, .is_refused_by_calibrate = true};
constexpr OptionTraits kRefusedByCalibrate{.is_refused_by_calibrate = true};
constexpr OptionTraits kBesideResume{.is_beside_resume = true};

template <typename Value>
Option row(Setting<Value> Settings::* member, const char* short_name, const std::string& value_name,
           const std::string& help, OptionGroup group, Form<Value> form, OptionTraits traits = {}) {
  static const Settings kUnset;
  Option option;
  option.name = (kUnset.*member).name();
  option.short_name = short_name;
  option.value_name = value_name;
  option.help = help;
  option.group = group;
  option.kind = form.kind;
  option.choices = form.choices;
  option.traits = traits;
  option.in = [member](const Settings& all) -> const AnySetting& { return all.*member; };
  option.set = [member, form = std::move(form)](Settings& all, const std::string& text,
                                                const std::string& origin) {
    (all.*member).set(form.read(text, origin), origin);
  };
  option.clear = [member](Settings& all) { (all.*member).clear(); };
  option.overlay = [member](Settings& all, const Settings& above) {
    if ((above.*member).has()) all.*member = above.*member;
  };
  return option;
}

// "a,b,c".
template <schema::Closed Enum>
std::string names_text(const char* between) {
  std::string text;
  for (const std::string& name : schema::names_of<Enum>()) text += (text.empty() ? "" : between) + name;
  return text;
}

// "a, b or c".
std::string alternatives(const std::vector<std::string>& words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 < words.size() ? ", " : " or ") + words[i];
  return text;
}

// "a is this; b or c is that", of those that have a help.
template <schema::Closed Enum>
std::string told_of() {
  std::vector<std::pair<std::string_view, std::vector<std::string>>> told;
  for (const auto& row : schema::ClosedSet<Enum>::kRows) {
    if (row.help.empty()) continue;
    const auto same =
        std::find_if(told.begin(), told.end(), [&](const auto& one) { return one.first == row.help; });
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

std::vector<Option> workload_options() {
  constexpr auto kGroup = OptionGroup::workload;
  constexpr std::int64_t kMaxThreads = 4096;
  return {
      row(&Settings::models, "m", "NAME,...",
          "models by name, all, or the path to a definition or to a TorchScript file (.pt), whose code then "
          "runs",
          kGroup, each(any_text())),
      row(&Settings::modes, "", names_text<schema::Mode>(","),
          "what to time; " + told_of<schema::Mode>() + " (default: train,infer)", kGroup,
          each(one_of<schema::Mode>())),
      row(&Settings::devices, "d", "NAME,...", alternatives(device_words()) + " (default: auto)", kGroup,
          each(Form<DeviceChoice>{parse_device}), kOfNetworks),
      row(&Settings::batch_sizes, "b", "N,...",
          "rows a step: 1,8,32 or 1-64*2, or max: the largest that runs (default: the model's)", kGroup,
          batch_sizes()),
      row(&Settings::precisions, "", names_text<schema::Precision>(","),
          told_of<schema::Precision>() + " (default: fp32)", kGroup, each(one_of<schema::Precision>()),
          kOfNetworks),
      row(&Settings::engines, "", names_text<schema::Engine>(","),
          "how steps are issued; " + told_of<schema::Engine>() + " (default: eager)", kGroup,
          each(one_of<schema::Engine>()), kOfNetworks),
      row(&Settings::input_shapes, "", "SHAPE,...",
          "what a --model FILE.pt takes, without the batch: 3x224x224, or 128:30522 for whole numbers",
          kGroup, each(input_shape())),
      row(&Settings::classes, "", "N", "outputs of the network (default: the model's)", kGroup,
          whole_number(1, std::numeric_limits<std::int32_t>::max())),
      row(&Settings::rows, "", "N",
          "rows of the data set: the first so many of its files (default: all), else for the epoch (default: "
          "the model's)",
          kGroup, whole_number(1)),
      row(&Settings::seed, "", "N", "of weights, batch, dropout and order (default: 0)", kGroup,
          whole_number(0)),
      row(&Settings::threads, "", "N",
          "threads inside an operation (default: OMP_NUM_THREADS, else the usable cores; on a Mac the "
          "performance cores)",
          kGroup, whole_number(1, kMaxThreads)),
      row(&Settings::input, "", names_text<schema::Input>("|"),
          "where each step's batch comes from; " + told_of<schema::Input>() + " (default: device)", kGroup,
          one_of<schema::Input>(), kOfNetworks),
      row(&Settings::channels_last, "", "", "image tensors in channels-last order", kGroup, flag(),
          kOfNetworks),
      row(&Settings::freeze_backbone, "", "", "train the last layer with parameters alone", kGroup, flag(),
          kOfNetworks),
      row(&Settings::dropout, "", "P", "dropout probability (default: the model's)", kGroup, probability(),
          kOfNetworks),
      row(&Settings::optimizer, "", "NAME[:key=value...]",
          "sgd, adam, adamw or none, as sgd:lr=0.1:momentum=0.9 (default: the model's)", kGroup,
          Form<schema::OptimizerSpec>{parse_optimizer}, kOfNetworks),
      row(&Settings::loss, "", "NAME", join(model::loss_names()) + " (default: the model's)", kGroup,
          one_of(model::loss_names()), kOfNetworks),
      row(&Settings::weights, "", "FILE", "safetensors to start from, by state-dict names", kGroup,
          any_text(), kOfNetworks),
  };
}

std::vector<Option> dataset_options() {
  constexpr auto kGroup = OptionGroup::workload;
  constexpr std::int64_t kMaxWorkers = 256;
  return {
      row(&Settings::dataset, "", "NAME",
          alternatives(schema::names_of<schema::Dataset>()) + " (default: synthetic)", kGroup,
          one_of<schema::Dataset>()),
      row(&Settings::data_dir, "", "DIR", "folder of the data set's files (default: data)", kGroup,
          any_text()),
      row(&Settings::vocab, "", "FILE",
          "WordPiece vocabulary of trec (default: vocab.txt in the data set's folder)", kGroup, any_text()),
      row(&Settings::trec_labels, "", "VERSION",
          "order of trec's labels: that of 1.1.0 or 2.0.0 (default: 1.1.0)", kGroup,
          one_of<schema::TrecLabels>()),
      row(&Settings::max_length, "", "N",
          "most tokens of a text, special ones included (default: the model's)", kGroup,
          whole_number(2, std::numeric_limits<std::int32_t>::max())),
      row(&Settings::pad, "", names_text<schema::Pad>("|"),
          "pad texts to --max-length or to the batch's longest (default: max)", kGroup,
          one_of<schema::Pad>()),
      row(&Settings::workers, "", "N", "threads that prepare images (default: 2)", kGroup,
          whole_number(0, kMaxWorkers)),
  };
}

std::vector<Option> measuring_options() {
  constexpr auto kGroup = OptionGroup::measuring;
  constexpr std::int64_t kMaxRepeats = 10'000;
  constexpr std::int64_t kMaxSamples = 4096;  // a launch takes no more
  return {
      row(&Settings::warmup, "w", "auto|N|2s", "until steady, N steps or a time (default: auto)", kGroup,
          warmup()),
      row(&Settings::min_time_seconds, "", "DURATION", "least measured time of a launch (default: 0.5s)",
          kGroup, duration()),
      row(&Settings::max_time_seconds, "", "DURATION",
          "most time of a case, warm-up included, split over its launches (default: 10s)", kGroup,
          positive_duration()),
      row(&Settings::max_noise, "", "RATIO",
          "stop when the median's 95 % interval is within this (default: 1%)", kGroup, ratio()),
      row(&Settings::min_samples, "", "N", "least samples of a launch, 4096 at most (default: 10)", kGroup,
          whole_number(1, kMaxSamples)),
      row(&Settings::timeout_seconds, "", "DURATION", "a launch is ended after this (default: 10m)", kGroup,
          positive_duration()),
      row(&Settings::repeats, "r", "N", "launches a case (default: 3)", kGroup, whole_number(1, kMaxRepeats)),
      row(&Settings::cooldown_seconds, "", "DURATION", "wait before each launch (default: 0s)", kGroup,
          duration()),
      row(&Settings::epochs, "", "N", "measure whole epochs instead of projecting one", kGroup,
          whole_number(1)),
      row(&Settings::iterations, "", "N", "time one loop of N steps", kGroup, whole_number(1)),
      row(&Settings::as_published, "", "",
          "with --epochs or --iterations: by the clocks of the published scripts, which did not synchronise; "
          "--iterations of inference: of one batch, gradients on",
          kGroup, flag(), kOfNetworks),
      row(&Settings::max_batches, "", "N", "most timed steps of a launch, or of an epoch with --epochs",
          kGroup, whole_number(1)),
  };
}

// What holds a run against another one.
std::vector<Option> gate_options() {
  constexpr auto kGroup = OptionGroup::output;
  constexpr auto kCommand = OptionGroup::command;
  return {
      row(&Settings::baseline, "", "FILE",
          "compare with this report of the same machine, with as many launches as the verdicts need",
          kCommand, any_text(), kRefusedByCalibrate),
      row(&Settings::versus, "", "WORKER",
          "measure with this mpsbench-worker too, launch by launch in turns, and compare with it", kCommand,
          any_text(), kRefusedByCalibrate),
      row(&Settings::threshold, "", "RATIO",
          "least change of a case that matters when it is compared (default: 2%)", OptionGroup::measuring,
          threshold()),
      row(&Settings::alpha, "", "RATIO", "chance of even one false call over all cases (default: 0.01)",
          kGroup, alpha(), kOfGates),
      row(&Settings::budget_seconds, "", "DURATION",
          "most time for the launches beyond --repeats that the verdicts need (default: 10m)", kGroup,
          duration(), kOfGates),
      row(&Settings::fail_on_regression, "", "", "exit with 1 when a case is slower", kGroup, flag(),
          kOfGates),
      row(&Settings::fail_on_undecided, "", "",
          "exit with 1 when a case is undecided or could not be compared", kGroup, flag(), kOfGates),
      row(&Settings::force, "", "", "compare with a --baseline that is not comparable", kCommand, flag(),
          kOfGates),
  };
}

std::vector<Option> output_options() {
  constexpr auto kGroup = OptionGroup::output;
  constexpr auto kCommand = OptionGroup::command;
  return {
      row(&Settings::output, "o", "FORMAT", "of stdout: table, md, csv, json or jsonl (default: table)",
          kGroup, one_of<OutputFormat>(), kBesideResume),
      row(&Settings::plain, "", "",
          "on stdout the seconds of --iterations alone, a line a case: CPU Time: 12.3456 seconds", kGroup,
          flag()),
      row(&Settings::price_dollars, "", "DOLLARS", "of this machine: adds rows a second per 1,000 $", kGroup,
          positive_number()),
      row(&Settings::filter, "", "RE", "only cases whose id matches", kGroup, regular_expression()),
      row(&Settings::host_name, "", "NAME", "name of this machine in the report", kGroup, host_name()),
      row(&Settings::ceilings, "", "",
          "measure what the devices do at best first, and each case's share of it", kGroup, flag()),
      row(&Settings::strict, "", "", "exit 3 when a named device is not usable here", kGroup, flag()),
      row(&Settings::quiet, "q", "", "warnings only on stderr", kGroup, flag(), kBesideResume),
      row(&Settings::verbose, "", "", "more on stderr", kGroup, flag(), kBesideResume),
      row(&Settings::log_file, "", "FILE", "write the log there too", kGroup, any_text(), kBesideResume),
      row(&Settings::no_progress, "", "", "no progress on stderr", kGroup, flag(), kBesideResume),
      row(&Settings::color, "", "WHEN", "auto, always or never (default: auto)", kGroup,
          one_of<ColourChoice>(), kBesideResume),
      row(&Settings::export_json, "", "FILE", "the report's place (default: results/HOST-DATE-SUITE.json)",
          kCommand, any_text()),
      row(&Settings::dump_first_step, "", "FILE",
          "write the first step's inputs, logits, loss and gradients (one case, one launch, no search by "
          "cuDNN)",
          kCommand, any_text(), {.is_of_networks = true, .is_refused_by_calibrate = true}),
      row(&Settings::resume, "", "FILE", "go on with a journal or report; needs no other option", kCommand,
          any_text(), {.is_refused_by_calibrate = true, .is_beside_resume = true}),
      row(&Settings::dry_run, "", "", "show the plan and run nothing", kCommand, flag(), kBesideResume),
  };
}

std::vector<Option> all_options() {
  std::vector<Option> all = workload_options();
  for (auto& group : {dataset_options(), measuring_options(), gate_options(), output_options()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace

const std::vector<Option>& options() {
  static const std::vector<Option> kOptions = all_options();
  return kOptions;
}

const Option* find_option(std::string_view name) {
  for (const Option& option : options()) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

}  // namespace mpsbench::suite
