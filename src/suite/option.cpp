#include "suite/option.hpp"

#include "model/loss.hpp"
#include "schema/case_spec.hpp"
#include "schema/report.hpp"
#include "suite/device_names.hpp"
#include "suite/optimizer_text.hpp"
#include "suite/option_checks.hpp"
#include "suite/script_model.hpp"

#include <limits>

namespace mpsbench::suite {
namespace {

constexpr double kLeastAlpha = 1e-9;
constexpr double kMostAlpha = 0.5;

// "a,b,c".
template <schema::Closed Enum>
std::string names_text(const char* between) {
  std::string text;
  for (const std::string& name : schema::names_of<Enum>()) text += (text.empty() ? "" : between) + name;
  return text;
}

// "a is this; b is that", of those that have a help.
template <schema::Closed Enum>
std::string told_of() {
  std::string text;
  for (const auto& row : schema::ClosedSet<Enum>::kRows) {
    if (row.help.empty()) continue;
    text += (text.empty() ? "" : "; ") + std::string(row.name) + " " + std::string(row.help);
  }
  return text;
}

// "a, b or c".
std::string alternatives(const std::vector<std::string>& words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 < words.size() ? ", " : " or ") + words[i];
  return text;
}

std::vector<Option> workload_options() {
  constexpr auto kGroup = OptionGroup::workload;
  constexpr std::int64_t kMaxThreads = 4096;
  return {
      {"model", "m", "NAME,...",
       "models by name, all, or the path to a definition or to a TorchScript file (.pt), whose code then "
       "runs",
       kGroup, OptionKind::list, each(any_text())},
      {"mode", "", names_text<schema::Mode>(","),
       "what to time; " + told_of<schema::Mode>() + " (default: train,infer)", kGroup, OptionKind::list,
       each(one_of<schema::Mode>())},
      {"device", "d", "NAME,...", alternatives(device_words()) + " (default: auto)", kGroup, OptionKind::list,
       each(check_device_name)},
      {"batch-size", "b", "N,...",
       "rows a step: 1,8,32 or 1-64*2, or max: the largest that runs (default: the model's)", kGroup,
       OptionKind::list, batch_sizes()},
      {"precision", "", names_text<schema::Precision>(","), told_of<schema::Precision>() + " (default: fp32)",
       kGroup, OptionKind::list, each(one_of<schema::Precision>())},
      {"engine", "", names_text<schema::Engine>(","),
       "how steps are issued; " + told_of<schema::Engine>() + " (default: eager)", kGroup, OptionKind::list,
       each(one_of<schema::Engine>())},
      {"input-shape", "", "SHAPE,...",
       "what a --model FILE.pt takes, without the batch: 3x224x224, or 128:30522 for whole numbers", kGroup,
       OptionKind::list, each(check_input_shape)},
      {"classes", "", "N", "outputs of the network (default: the model's)", kGroup, OptionKind::value,
       whole_number(1, std::numeric_limits<std::int32_t>::max())},
      {"rows", "", "N",
       "rows of the data set: the first so many of its files (default: all), else for the epoch (default: "
       "the "
       "model's)",
       kGroup, OptionKind::value, whole_number(1)},
      {"seed", "", "N", "of weights, batch, dropout and order (default: 0)", kGroup, OptionKind::value,
       whole_number(0)},
      {"threads", "", "N",
       "threads inside an operation (default: OMP_NUM_THREADS, else the usable cores; on a Mac the "
       "performance cores)",
       kGroup, OptionKind::value, whole_number(1, kMaxThreads)},
      {"input", "", names_text<schema::Input>("|"),
       "where each step's batch comes from; " + told_of<schema::Input>() + " (default: device)", kGroup,
       OptionKind::value, one_of<schema::Input>()},
      {"channels-last", "", "", "image tensors in channels-last order", kGroup, OptionKind::flag, {}},
      {"freeze-backbone", "", "", "train the last layer with parameters alone", kGroup, OptionKind::flag, {}},
      {"dropout", "", "P", "dropout probability (default: the model's)", kGroup, OptionKind::value,
       probability()},
      {"optimizer", "", "NAME[:key=value...]",
       "sgd, adam, adamw or none, as sgd:lr=0.1:momentum=0.9 (default: the model's)", kGroup,
       OptionKind::value, check_optimizer_text},
      {"loss", "", "NAME", join(model::loss_names()) + " (default: the model's)", kGroup, OptionKind::value,
       one_of(model::loss_names())},
      {"weights", "", "FILE", "safetensors to start from, by state-dict names", kGroup, OptionKind::value,
       any_text()},
  };
}

std::vector<Option> dataset_options() {
  constexpr auto kGroup = OptionGroup::workload;
  constexpr std::int64_t kMaxWorkers = 256;
  return {
      {"dataset", "", "NAME", alternatives(schema::names_of<schema::Dataset>()) + " (default: synthetic)",
       kGroup, OptionKind::value, one_of<schema::Dataset>()},
      {"data-dir", "", "DIR", "folder of the data set's files (default: data)", kGroup, OptionKind::value,
       any_text()},
      {"vocab", "", "FILE", "WordPiece vocabulary of trec (default: vocab.txt in the data set's folder)",
       kGroup, OptionKind::value, any_text()},
      {"trec-labels", "", "VERSION", "order of trec's labels: that of 1.1.0 or 2.0.0 (default: 1.1.0)",
       kGroup, OptionKind::value, one_of<schema::TrecLabels>()},
      {"max-length", "", "N", "most tokens of a text, special ones included (default: the model's)", kGroup,
       OptionKind::value, whole_number(2, std::numeric_limits<std::int32_t>::max())},
      {"pad", "", names_text<schema::Pad>("|"),
       "pad texts to --max-length or to the batch's longest (default: max)", kGroup, OptionKind::value,
       one_of<schema::Pad>()},
      {"workers", "", "N", "threads that prepare images (default: 2)", kGroup, OptionKind::value,
       whole_number(0, kMaxWorkers)},
  };
}

std::vector<Option> measuring_options() {
  constexpr auto kGroup = OptionGroup::measuring;
  constexpr std::int64_t kMaxRepeats = 10'000;
  constexpr std::int64_t kMaxSamples = 4096;  // a launch takes no more
  return {
      {"warmup", "w", "auto|N|2s", "until steady, N steps or a time (default: auto)", kGroup,
       OptionKind::value, warmup()},
      {"min-time", "", "DURATION", "least measured time of a launch (default: 0.5s)", kGroup,
       OptionKind::value, duration()},
      {"max-time", "", "DURATION",
       "most time of a case, warm-up included, split over its launches (default: 10s)", kGroup,
       OptionKind::value, positive_duration()},
      {"max-noise", "", "RATIO", "stop when the median's 95 % interval is within this (default: 1%)", kGroup,
       OptionKind::value, ratio()},
      {"min-samples", "", "N", "least samples of a launch, 4096 at most (default: 10)", kGroup,
       OptionKind::value, whole_number(1, kMaxSamples)},
      {"timeout", "", "DURATION", "a launch is ended after this (default: 10m)", kGroup, OptionKind::value,
       positive_duration()},
      {"repeats", "r", "N", "launches a case (default: 3)", kGroup, OptionKind::value,
       whole_number(1, kMaxRepeats)},
      {"cooldown", "", "DURATION", "wait before each launch (default: 0s)", kGroup, OptionKind::value,
       duration()},
      {"epochs", "", "N", "measure whole epochs instead of projecting one", kGroup, OptionKind::value,
       whole_number(1)},
      {"iterations", "", "N", "time one loop of N steps", kGroup, OptionKind::value, whole_number(1)},
      {"as-published",
       "",
       "",
       "with --epochs or --iterations: by the clocks of the published scripts, which did not synchronise; "
       "--iterations of inference: of one batch, gradients on",
       kGroup,
       OptionKind::flag,
       {}},
      {"max-batches", "", "N", "most timed steps of a launch, or of an epoch with --epochs", kGroup,
       OptionKind::value, whole_number(1)},
  };
}

// What holds a run against another one.
std::vector<Option> gate_options() {
  constexpr auto kGroup = OptionGroup::output;
  constexpr auto kCommand = OptionGroup::command;
  return {
      {"baseline", "", "FILE",
       "compare with this report of the same machine, with as many launches as the verdicts need", kCommand,
       OptionKind::value, any_text()},
      {"versus", "", "WORKER",
       "measure with this mpsbench-worker too, launch by launch in turns, and compare with it", kCommand,
       OptionKind::value, any_text()},
      {"threshold", "", "RATIO", "least change of a case that matters when it is compared (default: 2%)",
       OptionGroup::measuring, OptionKind::value, share(schema::kLeastThreshold, schema::kMostThreshold)},
      {"alpha", "", "RATIO", "chance of even one false call over all cases (default: 0.01)", kGroup,
       OptionKind::value, share(kLeastAlpha, kMostAlpha)},
      {"budget", "", "DURATION",
       "most time for the launches beyond --repeats that the verdicts need (default: 10m)", kGroup,
       OptionKind::value, duration()},
      {"fail-on-regression", "", "", "exit with 1 when a case is slower", kGroup, OptionKind::flag, {}},
      {"fail-on-undecided",
       "",
       "",
       "exit with 1 when a case is undecided or could not be compared",
       kGroup,
       OptionKind::flag,
       {}},
      {"force", "", "", "compare with a --baseline that is not comparable", kCommand, OptionKind::flag, {}},
  };
}

std::vector<Option> output_options() {
  constexpr auto kGroup = OptionGroup::output;
  constexpr auto kCommand = OptionGroup::command;
  return {
      {"output", "o", "FORMAT", "of stdout: table, md, csv, json or jsonl (default: table)", kGroup,
       OptionKind::value, one_of({"table", "md", "csv", "json", "jsonl"})},
      {"plain",
       "",
       "",
       "on stdout the seconds of --iterations alone, a line a case: CPU Time: 12.3456 seconds",
       kGroup,
       OptionKind::flag,
       {}},
      {"price", "", "DOLLARS", "of this machine: adds rows a second per 1,000 $", kGroup, OptionKind::value,
       positive_number()},
      {"filter", "", "RE", "only cases whose id matches", kGroup, OptionKind::value, regular_expression()},
      {"host-name", "", "NAME", "name of this machine in the report", kGroup, OptionKind::value, host_name()},
      {"ceilings",
       "",
       "",
       "measure what the devices do at best first, and each case's share of it",
       kGroup,
       OptionKind::flag,
       {}},
      {"strict", "", "", "exit 3 when a named device is not usable here", kGroup, OptionKind::flag, {}},
      {"quiet", "q", "", "warnings only on stderr", kGroup, OptionKind::flag, {}},
      {"verbose", "", "", "more on stderr", kGroup, OptionKind::flag, {}},
      {"log-file", "", "FILE", "write the log there too", kGroup, OptionKind::value, any_text()},
      {"no-progress", "", "", "no progress on stderr", kGroup, OptionKind::flag, {}},
      {"color", "", "WHEN", "auto, always or never (default: auto)", kGroup, OptionKind::value,
       one_of({"auto", "always", "never"})},
      {"export-json", "", "FILE", "the report's place (default: results/HOST-DATE-SUITE.json)", kCommand,
       OptionKind::value, any_text()},
      {"dump-first-step", "", "FILE",
       "write the first step's inputs, logits, loss and gradients (one case, one launch, no search by cuDNN)",
       kCommand, OptionKind::value, any_text()},
      {"resume", "", "FILE", "go on with a journal or report; needs no other option", kCommand,
       OptionKind::value, any_text()},
      {"dry-run", "", "", "show the plan and run nothing", kCommand, OptionKind::flag, {}},
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

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const Option& option : options()) names.push_back(option.name);
  return names;
}

std::vector<std::string> choices_of(const Option& option) {
  return choices_of(option.check);
}

}  // namespace mpsbench::suite
