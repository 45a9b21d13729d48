// The options of `run` as typed values, each with the place it came from: one layer of suite, matrix and
// command line, or several laid over each other.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/measure_spec.hpp"
#include "suite/colour_choice.hpp"
#include "suite/device_choice.hpp"
#include "suite/input_shape.hpp"
#include "suite/output_format.hpp"
#include "suite/setting.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::suite {

struct BatchSizes {
  bool is_max = false;              // the largest that runs, which is to be found
  std::vector<std::int64_t> sizes;  // else these, as written
};

// A member an option; what each means, and what it may be, is said in option.cpp.
struct Settings {
  // Which work.
  Setting<std::vector<std::string>> models{"model"};
  Setting<std::vector<schema::Mode>> modes{"mode"};
  Setting<std::vector<DeviceChoice>> devices{"device"};
  Setting<BatchSizes> batch_sizes{"batch-size"};
  Setting<std::vector<schema::Precision>> precisions{"precision"};
  Setting<std::vector<schema::Engine>> engines{"engine"};
  Setting<std::vector<InputShape>> input_shapes{"input-shape"};
  Setting<std::int64_t> classes{"classes"};
  Setting<std::int64_t> rows{"rows"};
  Setting<std::int64_t> seed{"seed"};
  Setting<std::int64_t> threads{"threads"};
  Setting<schema::Input> input{"input"};
  Setting<bool> channels_last{"channels-last"};
  Setting<bool> freeze_backbone{"freeze-backbone"};
  Setting<double> dropout{"dropout"};
  Setting<schema::OptimizerSpec> optimizer{"optimizer"};
  Setting<std::string> loss{"loss"};
  Setting<std::string> weights{"weights"};

  // On which data.
  Setting<schema::Dataset> dataset{"dataset"};
  Setting<std::string> data_dir{"data-dir"};
  Setting<std::string> vocab{"vocab"};
  Setting<schema::TrecLabels> trec_labels{"trec-labels"};
  Setting<std::int64_t> max_length{"max-length"};
  Setting<schema::Pad> pad{"pad"};
  Setting<std::int64_t> workers{"workers"};

  // How it is measured.
  Setting<schema::WarmupSpec> warmup{"warmup"};
  Setting<double> min_time_seconds{"min-time"};
  Setting<double> max_time_seconds{"max-time"};
  Setting<double> max_noise{"max-noise"};
  Setting<std::int64_t> min_samples{"min-samples"};
  Setting<double> timeout_seconds{"timeout"};
  Setting<std::int64_t> repeats{"repeats"};
  Setting<double> cooldown_seconds{"cooldown"};
  Setting<std::int64_t> epochs{"epochs"};
  Setting<std::int64_t> iterations{"iterations"};
  Setting<bool> as_published{"as-published"};
  Setting<std::int64_t> max_batches{"max-batches"};

  // What it is held against.
  Setting<std::string> baseline{"baseline"};
  Setting<std::string> versus{"versus"};
  Setting<double> threshold{"threshold"};
  Setting<double> alpha{"alpha"};
  Setting<double> budget_seconds{"budget"};
  Setting<bool> fail_on_regression{"fail-on-regression"};
  Setting<bool> fail_on_undecided{"fail-on-undecided"};
  Setting<bool> force{"force"};

  // What is shown and written.
  Setting<OutputFormat> output{"output"};
  Setting<bool> plain{"plain"};
  Setting<double> price_dollars{"price"};
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

  // Those of ABOVE hide mine; epochs and iterations, of which a case has one, also each other.
  [[nodiscard]] Settings overlaid_with(const Settings& above) const;
};

}  // namespace mpsbench::suite
