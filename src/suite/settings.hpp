// The options of `run` as typed values, each with the place where it was set. An object has one layer (suite,
// matrix or command line), or several layers merged.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/gated_metric.hpp"
#include "schema/measure_spec.hpp"
#include "schema/scaling.hpp"
#include "suite/colour_choice.hpp"
#include "suite/device_choice.hpp"
#include "suite/input_shape.hpp"
#include "suite/setting.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::suite {

// A batch size that is still to be found by trying: the largest that runs, or the smallest that processes
// almost as many rows per second as the fastest.
enum class SearchedBatch { max, best };

struct BatchChoice {
  std::optional<SearchedBatch> searched;
  std::vector<std::int64_t> sizes;  // otherwise these, as written
};

struct BatchSizes {
  BatchChoice everywhere;  // unless they differ by device
  std::vector<std::pair<schema::DeviceId, BatchChoice>> by_device{};

  // Returns those of DEVICE, or else of the first device of its kind; null if there are none.
  [[nodiscard]] const BatchChoice* on(const schema::DeviceId& device) const;
};

// A number of GPUs; null: all that are usable here.
using GpuCount = std::optional<std::int64_t>;

// The pause before each launch: seconds, or until the machine is calm.
struct Cooldown {
  bool is_auto = false;
  double seconds = 0;
};

// One member per option. option.cpp says what each one means and which values it accepts.
struct Settings {
  // Which work.
  Setting<std::vector<std::string>> models{"model"};
  Setting<std::vector<schema::Mode>> modes{"mode"};
  Setting<std::vector<DeviceChoice>> devices{"device"};
  Setting<BatchSizes> batch_sizes{"batch-size"};
  Setting<std::vector<std::int64_t>> ranks{"ranks"};
  Setting<std::vector<GpuCount>> gpus{"gpus"};
  Setting<schema::Scaling> scaling{"scaling"};
  Setting<std::int64_t> bucket_bytes{"bucket-size"};
  Setting<std::vector<schema::Precision>> precisions{"precision"};
  Setting<std::vector<schema::Engine>> engines{"engine"};
  Setting<schema::CompileMode> compile_mode{"compile-mode"};
  Setting<std::vector<InputShape>> input_shapes{"input-shape"};
  Setting<std::int64_t> classes{"classes"};
  Setting<std::int64_t> rows{"rows"};
  Setting<std::int64_t> seed{"seed"};
  Setting<std::vector<std::int64_t>> threads{"threads"};
  Setting<std::vector<std::int64_t>> interop_threads{"interop-threads"};
  Setting<std::string> affinity{"affinity"};
  Setting<schema::Input> input{"input"};
  Setting<bool> channels_last{"channels-last"};
  Setting<bool> freeze_backbone{"freeze-backbone"};
  Setting<double> dropout{"dropout"};
  Setting<schema::OptimizerSpec> optimizer{"optimizer"};
  Setting<std::string> loss{"loss"};
  Setting<std::string> weights{"weights"};

  // Settings for data sets.
  Setting<schema::Dataset> dataset{"dataset"};
  Setting<std::string> data_dir{"data-dir"};
  Setting<std::string> vocab{"vocab"};
  Setting<schema::TrecLabels> trec_labels{"trec-labels"};
  Setting<std::int64_t> max_length{"max-length"};
  Setting<schema::Pad> pad{"pad"};
  Setting<schema::Tokenize> tokenize{"tokenize"};
  Setting<std::int64_t> workers{"workers"};
  Setting<schema::LastBatch> last_batch{"last-batch"};
  Setting<schema::Shuffle> shuffle{"shuffle"};

  // Settings for measuring.
  Setting<schema::WarmupSpec> warmup{"warmup"};
  Setting<double> min_time_seconds{"min-time"};
  Setting<double> max_time_seconds{"max-time"};
  Setting<double> max_noise{"max-noise"};
  Setting<std::int64_t> min_samples{"min-samples"};
  Setting<double> timeout_seconds{"timeout"};
  Setting<double> rendezvous_timeout_seconds{"rendezvous-timeout"};
  Setting<double> time_limit_seconds{"time-limit"};  // of the whole run
  Setting<std::int64_t> repeats{"repeats"};
  Setting<Cooldown> cooldown{"cooldown"};
  Setting<std::int64_t> epochs{"epochs"};
  Setting<std::int64_t> iterations{"iterations"};
  Setting<bool> as_published{"as-published"};
  Setting<std::int64_t> max_batches{"max-batches"};

  // Settings for comparing.
  Setting<std::string> baseline{"baseline"};
  Setting<std::string> versus{"versus"};
  Setting<double> threshold{"threshold"};
  Setting<std::vector<schema::GateOn>> gate_on{"gate-on"};
  Setting<double> alpha{"alpha"};
  Setting<double> budget_seconds{"budget"};
  Setting<bool> fail_on_regression{"fail-on-regression"};
  Setting<bool> fail_on_undecided{"fail-on-undecided"};
  Setting<bool> force{"force"};

  // Settings for output.
  Setting<bool> plain{"plain"};
  Setting<double> price_dollars{"price"};
  Setting<std::int64_t> epochs_projected{"epochs-projected"};
  Setting<std::vector<double>> percentiles{"percentiles"};
  Setting<std::string> filter{"filter"};
  Setting<std::string> host_name{"host-name"};
  Setting<bool> ceilings{"ceilings"};
  Setting<bool> strict{"strict"};
  Setting<bool> quiet{"quiet"};
  Setting<bool> verbose{"verbose"};
  Setting<std::string> log_file{"log-file"};
  Setting<bool> no_progress{"no-progress"};
  Setting<ColourChoice> color{"color"};
  Setting<std::string> export_json{"export-json"};
  Setting<std::string> dump_first_step{"dump-first-step"};
  Setting<std::string> resume{"resume"};
  Setting<bool> dry_run{"dry-run"};

  // Not an option: how ids call the files of --model and --weights (see plan_cases).
  std::map<std::string, std::string> file_names;

  // The values of ABOVE replace those here. A case has either epochs or iterations, so each of these also
  // replaces the other.
  [[nodiscard]] Settings overlaid_with(const Settings& above) const;
};

}  // namespace mpsbench::suite
