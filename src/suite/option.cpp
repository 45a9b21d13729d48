#include "suite/option.hpp"

#include "model/loss.hpp"
#include "suite/device_names.hpp"
#include "suite/optimizer_text.hpp"
#include "suite/option_forms.hpp"
#include "suite/option_row.hpp"
#include "suite/option_words.hpp"
#include "suite/process_options.hpp"

#include <limits>

namespace mpsbench::suite {
namespace {

constexpr OptionTraits kOfGates{.needs_gate = true, .is_refused_by_calibrate = true};
constexpr OptionTraits kRefusedByCalibrate{.is_refused_by_calibrate = true};
constexpr OptionTraits kBesideResume{.is_beside_resume = true};

std::vector<Option> workload_options() {
  constexpr auto kGroup = OptionGroup::workload;
  return {
      row(&Settings::models, "m", "NAME,...",
          "models to run: names, all, or paths to definitions, TorchScript files (.pt, .pth, .torchscript) "
          "or packages by "
          "AOTInductor (.pt2); the code in such a file will run. In this and every list, write \\, for a "
          "comma that is part of an item",
          kGroup, each(any_text())),
      row(&Settings::modes, "", names_text<schema::Mode>(","),
          "what to time; " + told_of<schema::Mode>() + " (default: train,infer)", kGroup,
          each(one_of<schema::Mode>())),
      row(&Settings::devices, "d", "NAME,...", alternatives(device_words()) + " (default: auto)", kGroup,
          each(Form<DeviceChoice>{parse_device}), kOfNetworks),
      row(&Settings::batch_sizes, "b", "N,...",
          "rows per step: 1,8,32, a range 1-64*2, max, the largest that runs, or best, the smallest power of "
          "two within 2 % of the fastest; or for each device cpu=8,32,mps=1 (default: the model's)",
          kGroup, batch_sizes()),
      row(&Settings::precisions, "", names_text<schema::Precision>(","),
          told_of<schema::Precision>() + " (default: fp32)", kGroup, each(one_of<schema::Precision>()),
          kOfNetworks),
      row(&Settings::engines, "", names_text<schema::Engine>(","),
          "how steps are issued; " + told_of<schema::Engine>() + " (default: eager)", kGroup,
          each(one_of<schema::Engine>()), kOfNetworks),
      row(&Settings::compile_mode, "", names_text<schema::CompileMode>("|"),
          "how the engines compiled and compiled-graph compile; " + told_of<schema::CompileMode>() +
              " (default: default)",
          kGroup, one_of<schema::CompileMode>(), kOfNetworks),
      row(&Settings::input_shapes, "", "SHAPE,...",
          "shape of each input of --model FILE.pt or FILE.pt2, without the batch: 3x224x224, or 128:30522 "
          "for whole "
          "numbers below 30522",
          kGroup, each(input_shape())),
      row(&Settings::classes, "", "N", "number of outputs of the network (default: the model's)", kGroup,
          whole_number(1, std::numeric_limits<std::int32_t>::max())),
      row(&Settings::rows, "", "N",
          "rows to use: the first N rows of the data set (default: all), or N synthetic rows per epoch "
          "(default: the model's)",
          kGroup, whole_number(1)),
      row(&Settings::seed, "", "N", "random seed of weights, batch, dropout and order (default: 0)", kGroup,
          whole_number(0)),
      row(&Settings::input, "", names_text<schema::Input>("|"),
          "where each step's batch comes from; " + told_of<schema::Input>() + " (default: device)", kGroup,
          one_of<schema::Input>(), kOfNetworks),
      row(&Settings::channels_last, "", "", "store image tensors in channels-last order", kGroup, flag(),
          kOfNetworks),
      row(&Settings::freeze_backbone, "", "", "train only the last layer that has parameters", kGroup, flag(),
          kOfNetworks),
      row(&Settings::dropout, "", "P", "dropout probability (default: the model's)", kGroup, probability(),
          kOfNetworks),
      row(&Settings::optimizer, "", "NAME[:key=value...]",
          "sgd, adam, adamw or none, with settings as in sgd:lr=0.1:momentum=0.9 (default: the model's)",
          kGroup, Form<schema::OptimizerSpec>{parse_optimizer}, kOfNetworks),
      row(&Settings::loss, "", "NAME",
          "loss function: " + join(model::loss_names()) + " (default: the model's)", kGroup,
          one_of(model::loss_names()), kOfNetworks),
      row(&Settings::weights, "", "FILE", "safetensors file of the initial weights, with state-dict names",
          kGroup, any_text(), kOfNetworks),
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
          "WordPiece vocabulary for trec (default: vocab.txt in the data set's folder)", kGroup, any_text()),
      row(&Settings::trec_labels, "", "VERSION",
          "order of trec's labels, as in version 1.1.0 or 2.0.0 (default: 1.1.0)", kGroup,
          one_of<schema::TrecLabels>()),
      row(&Settings::max_length, "", "N",
          "maximum tokens per text, including special tokens (default: the model's)", kGroup,
          whole_number(2, std::numeric_limits<std::int32_t>::max())),
      row(&Settings::pad, "", names_text<schema::Pad>("|"),
          "pad texts to --max-length (max) or to the longest of the batch (default: max)", kGroup,
          one_of<schema::Pad>()),
      row(&Settings::tokenize, "", names_text<schema::Tokenize>("|"),
          "tokenize texts once, before the clock starts, or for each batch, in its step (default: once)",
          kGroup, one_of<schema::Tokenize>()),
      row(&Settings::workers, "", "N", "threads that prepare images (default: 2)", kGroup,
          whole_number(0, kMaxWorkers)),
      row(&Settings::last_batch, "", names_text<schema::LastBatch>("|"),
          "with --epochs: leave out an epoch's last batch if it is not full (drop; inference fills it up), "
          "or run "
          "it with fewer rows (keep) (default: drop)",
          kGroup, one_of<schema::LastBatch>()),
      row(&Settings::shuffle, "", names_text<schema::Shuffle>("|"),
          "take training rows in a random order, drawn with --seed, or as the files have them (default: on)",
          kGroup, one_of<schema::Shuffle>()),
  };
}

std::vector<Option> measuring_options() {
  constexpr auto kGroup = OptionGroup::measuring;
  constexpr std::int64_t kMaxRepeats = 10'000;
  constexpr std::int64_t kMaxSamples = 4096;  // a launch keeps no more
  return {
      row(&Settings::warmup, "w", "auto|N|2s",
          "length of the warm-up: until times are steady, N steps, or a time (default: auto)", kGroup,
          warmup()),
      row(&Settings::min_time_seconds, "", "DURATION", "minimum measured time per launch (default: 0.5s)",
          kGroup, duration()),
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
          "how long the processes of a launch wait to meet each other (default: 60s)", kGroup,
          positive_duration()),
      row(&Settings::repeats, "r", "N", "launches per case (default: 3, and more if --time-limit allows)",
          kGroup, whole_number(1, kMaxRepeats)),
      row(&Settings::cooldown, "", "auto|DURATION",
          "wait before each launch for this time, or until temperature and load have settled, 60s at most "
          "(default: 0s)",
          kGroup, cooldown()),
      row(&Settings::epochs, "", "N", "measure N whole epochs instead of estimating one from the steps",
          kGroup, whole_number(1)),
      row(&Settings::iterations, "", "N", "time one loop of N steps", kGroup, whole_number(1)),
      row(&Settings::as_published, "", "",
          "with --epochs or --iterations: time as the published scripts did, without synchronising; "
          "inference with --iterations then repeats one batch with gradients on",
          kGroup, flag(), kOfNetworks),
      row(&Settings::max_batches, "", "N", "maximum timed steps per launch or, with --epochs, per epoch",
          kGroup, whole_number(1)),
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
          "also measure with this mpsbench-worker, in alternating launches, and compare the two", kCommand,
          any_text(), kRefusedByCalibrate),
      row(&Settings::threshold, "", "RATIO", kThresholdHelp, OptionGroup::measuring, threshold()),
      row(&Settings::gate_on, "", "METRIC[=RATIO],...", kGateOnHelp, OptionGroup::measuring, gate_on()),
      row(&Settings::alpha, "", "RATIO", kAlphaHelp, kGroup, alpha(), kOfGates),
      row(&Settings::budget_seconds, "", "DURATION",
          "maximum time for launches beyond --repeats that the verdicts need (default: 10m)", kGroup,
          duration(), kOfGates),
      row(&Settings::fail_on_regression, "", "", kFailOnRegressionHelp, kGroup, flag(), kOfGates),
      row(&Settings::fail_on_undecided, "", "",
          "exit with 1 when a case is undecided or could not be compared", kGroup, flag(), kOfGates),
      row(&Settings::force, "", "", "compare even if the --baseline is not comparable", kCommand, flag(),
          kOfGates),
  };
}

std::vector<Option> output_options() {
  constexpr auto kGroup = OptionGroup::output;
  constexpr auto kCommand = OptionGroup::command;
  constexpr std::int64_t kMaxEpochs = 1'000'000;
  return {
      row(&Settings::plain, "", "",
          "print only the seconds of --iterations, one line per case: CPU Time: 12.3456 seconds", kGroup,
          flag()),
      row(&Settings::price_dollars, "", "DOLLARS", "price of this machine; adds rows per second per 1,000 $",
          kGroup, positive_number()),
      row(&Settings::epochs_projected, "", "N",
          "also report and show the projected time of N training epochs", kGroup,
          whole_number(1, kMaxEpochs)),
      row(&Settings::percentiles, "", "P,...",
          "also report and show these percentiles of the step time, such as 50,95,99.9", kGroup,
          each(percentile())),
      row(&Settings::filter, "", "RE", "run only cases whose id matches this regular expression", kGroup,
          regular_expression()),
      row(&Settings::host_name, "", "NAME", "name of this machine in the report", kGroup, host_name()),
      row(&Settings::ceilings, "", "",
          "first measure the devices' peak rates, then show each case's share of them", kGroup, flag()),
      row(&Settings::time_limit_seconds, "", "DURATION",
          "run as many launches as fit into it, 3 to 20 per case; if something else fixes their number "
          "(such as -r), start none later; --resume runs those that are left out",
          kGroup, positive_duration(), kBesideResume),
      row(&Settings::strict, "", "", "exit 3 when a named device is not usable here", kGroup, flag()),
      row(&Settings::quiet, "q", "", "write only warnings to stderr", kGroup, flag(), kBesideResume),
      row(&Settings::verbose, "", "", "write more to stderr", kGroup, flag(), kBesideResume),
      row(&Settings::log_file, "", "FILE", "also write the log to this file", kGroup, any_text(),
          kBesideResume),
      row(&Settings::no_progress, "", "", "show no progress on stderr", kGroup, flag(), kBesideResume),
      row(&Settings::color, "", "WHEN", "colour the output: auto, always or never (default: auto)", kGroup,
          one_of<ColourChoice>(), kBesideResume),
      row(&Settings::export_json, "", "FILE",
          "where to write the report (default: results/HOST-DATE-SUITE.json)", kCommand, any_text()),
      row(&Settings::dump_first_step, "", "FILE",
          "write the first step's inputs, logits, loss and gradients (one case, one launch, no cuDNN "
          "autotuning)",
          kCommand, any_text(), {.is_of_networks = true, .is_refused_by_calibrate = true}),
      row(&Settings::resume, "", "FILE", "continue the run of this journal or report; needs no other option",
          kCommand, any_text(), {.is_refused_by_calibrate = true, .is_beside_resume = true}),
      row(&Settings::dry_run, "", "", "show the plan and run nothing", kCommand, flag(), kBesideResume),
  };
}

std::vector<Option> all_options() {
  std::vector<Option> all = workload_options();
  for (auto& group :
       {process_options(), dataset_options(), measuring_options(), gate_options(), output_options()})
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
