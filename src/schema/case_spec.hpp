// One resolved point of a matrix: everything that decides which work is measured.
#pragma once

#include "base/json_reader.hpp"
#include "schema/data_source.hpp"
#include "schema/device_id.hpp"
#include "schema/engine.hpp"
#include "schema/loop_protocol.hpp"
#include "schema/mode.hpp"
#include "schema/precision.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mpsbench::schema {

// settings: lr, momentum, weight_decay, dampening, nesterov (sgd); lr, beta1, beta2, eps, weight_decay,
// amsgrad (adam, adamw); nothing (none: gradients accumulate). Switches are 0 or 1. All settings of the
// optimizer are present.
struct OptimizerSpec {
  std::string name;
  std::map<std::string, double> settings;

  bool operator==(const OptimizerSpec&) const = default;
};

struct CaseSpec {
  std::string model;
  Mode mode = Mode::train;
  DeviceId device;
  std::int64_t batch_size = 0;
  Precision precision = Precision::fp32;
  Engine engine = Engine::eager;
  Dataset dataset = Dataset::synthetic;
  Input input = Input::device;
  std::optional<std::int64_t> classes;  // null: the network has no such parameter
  std::optional<double> dropout;        // likewise
  bool channels_last = false;
  bool freeze_backbone = false;                // only the last layer with parameters trains
  LoopProtocol loop = LoopProtocol::standard;  // in JSON: as_published
  std::string loss;
  OptimizerSpec optimizer;
  std::int64_t rows = 0;  // of the data set
  std::int64_t seed = 0;
  std::int64_t threads = 0;
  std::optional<std::int64_t> workers;     // threads that prepare batches; null: nothing to prepare
  std::optional<std::int64_t> max_length;  // tokens of a text; null: the network has no such parameter
  std::optional<Pad> pad;                  // of texts from files
  std::optional<TrecLabels> trec_labels;   // null: not trec
  std::map<std::string, std::string> data_files = {};  // of the data set, vocabulary too: SHA-256 by name
  std::optional<std::string> weights;                  // file name without folder
  std::optional<std::int64_t> epochs;       // whole epochs to measure; null: the epoch is projected
  std::optional<std::int64_t> iterations;   // steps of the one timed loop; null: steps until the rule is met
  std::optional<std::int64_t> max_batches;  // most timed steps a launch, or an epoch with epochs

  bool operator==(const CaseSpec&) const = default;
};

[[nodiscard]] nlohmann::ordered_json to_json(const OptimizerSpec& optimizer);
[[nodiscard]] nlohmann::ordered_json to_json(const CaseSpec& spec);
[[nodiscard]] OptimizerSpec read_optimizer_spec(base::Reader reader);
[[nodiscard]] CaseSpec read_case_spec(base::Reader reader);

}  // namespace mpsbench::schema
