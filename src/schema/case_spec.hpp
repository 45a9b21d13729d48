// One resolved point of a matrix: everything that decides which work is measured.
#pragma once

#include "base/json_reader.hpp"
#include "schema/compile_mode.hpp"
#include "schema/data_source.hpp"
#include "schema/device_id.hpp"
#include "schema/engine.hpp"
#include "schema/loop_protocol.hpp"
#include "schema/mode.hpp"
#include "schema/precision.hpp"
#include "schema/scaling.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mpsbench::schema {

// The keys of settings are lr, momentum, weight_decay, dampening and nesterov for sgd; lr, beta1, beta2, eps,
// weight_decay and amsgrad for adam and adamw. The optimizer none has no settings: gradients accumulate.
// Switches are 0 or 1. Every setting of the optimizer is present.
struct OptimizerSpec {
  std::string name;
  std::map<std::string, double> settings;

  bool operator==(const OptimizerSpec&) const = default;
};

struct CaseSpec {
  std::string model;
  Mode mode = Mode::train;
  DeviceId device;
  std::int64_t batch_size = 0;                 // of each rank
  std::int64_t ranks = 1;                      // processes that run a launch together
  Scaling scaling = Scaling::weak;             // strong: only with several ranks
  std::optional<std::int64_t> bucket_bytes{};  // null: the worker chooses, or no gradients are averaged
  Precision precision = Precision::fp32;
  Engine engine = Engine::eager;
  std::optional<CompileMode> compile_mode = {};  // null: the engine runs no package
  Dataset dataset = Dataset::synthetic;
  Input input = Input::device;
  std::optional<std::int64_t> classes;  // null: the network has no such parameter
  std::optional<double> dropout;        // null: the network has no such parameter
  bool channels_last = false;
  bool freeze_backbone = false;                // only the last layer with parameters trains
  LoopProtocol loop = LoopProtocol::standard;  // in JSON: as_published
  std::string loss;
  OptimizerSpec optimizer;
  std::int64_t rows = 0;  // number of rows of the data set
  std::int64_t seed = 0;
  std::int64_t threads = 0;
  std::optional<std::int64_t> interop_threads;  // null: LibTorch's default
  std::optional<std::string> affinity;          // CPUs that may run the worker: "0-3,8"; null: all
  std::optional<std::int64_t> workers;          // threads that prepare batches; null: no batches to prepare
  std::optional<std::int64_t> max_length;       // tokens per text; null: the network has no such parameter
  std::optional<Pad> pad;                       // only for texts that are read from files
  std::optional<Tokenize> tokenize;             // likewise
  std::optional<TrecLabels> trec_labels;        // null: the data set is not trec
  LastBatch last_batch = LastBatch::drop;       // keep: only for epochs over a data set's files
  Shuffle shuffle = Shuffle::on;                // off: only for training rows of a data set's files
  std::map<std::string, std::string> data_files = {};  // SHA-256 by file name, vocabulary included
  std::optional<std::string> weights;                  // file name without its folder
  std::optional<std::int64_t> epochs;       // whole epochs to measure; null: the epoch is projected
  std::optional<std::int64_t> iterations;   // steps of the single timed loop; null: the stopping rules decide
  std::optional<std::int64_t> max_batches;  // limit of timed steps per launch, or per epoch if epochs is set

  bool operator==(const CaseSpec&) const = default;
};

// Rows of one step of all ranks.
[[nodiscard]] std::int64_t rows_per_step(const CaseSpec& spec);

// Steps of one epoch: floor(rows / rows of a step) in training, where a last batch that is not full is
// dropped; otherwise ceil(rows / batch). 0 without a batch size.
[[nodiscard]] std::int64_t steps_per_epoch(const CaseSpec& spec);

[[nodiscard]] nlohmann::ordered_json to_json(const OptimizerSpec& optimizer);
[[nodiscard]] nlohmann::ordered_json to_json(const CaseSpec& spec);
[[nodiscard]] OptimizerSpec read_optimizer_spec(base::Reader reader);
[[nodiscard]] CaseSpec read_case_spec(base::Reader reader);

}  // namespace mpsbench::schema
