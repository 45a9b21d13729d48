// Batches on the host, made from the files of a data set in the form that a network takes.
#pragma once

#include "base/interface.hpp"
#include "schema/data_source.hpp"
#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::data {

struct Batch {
  std::vector<at::Tensor> inputs;  // in the plan's order
  at::Tensor target;
};

// Returns the first COUNT rows of BATCH, or all if it has fewer. They share its memory.
[[nodiscard]] Batch first_rows(const Batch& batch, std::int64_t count);

[[nodiscard]] Batch on_cpu(const Batch& batch);

// Returns a copy with TYPE in place of other types of numbers with fractions. Whole numbers stay.
[[nodiscard]] Batch in_type(const Batch& batch, c10::ScalarType type);

// Which part of a batch a process gets: part NUMBER, from 0, of COUNT equal parts.
struct BatchPart {
  std::int64_t number = 0;
  std::int64_t count = 1;
};

// Returns the one batch of the synthetic data set, which stays on the device and is used in every step. Draws it on
// the CPU, so that a seed gives the same batch on every device. The plan's batch is one
// PART of what is drawn, so that several processes together get the rows that one would get with the whole
// batch.
[[nodiscard]] Batch make_synthetic_batch(const schema::NetworkPlan& plan, std::int64_t seed, const c10::Device& device,
                                         const BatchPart& part = {});

using schema::DataPart;

struct DataOptions {
  schema::Dataset dataset = schema::Dataset::synthetic;  // set this to one with files
  std::string folder;                                    // the folder of its files
  std::string vocabulary;                                // the vocabulary file; only for texts
  std::int64_t batch_size = 0;
  std::int64_t workers = 0;  // threads that prepare images
  std::int64_t seed = 0;
  std::optional<std::int64_t> rows = {};  // use only so many rows of the part, from its start
  schema::TrecLabels trec_labels = schema::kDefaultTrecLabels;
  bool pad_to_longest = false;  // pad texts to the longest of the batch instead of the plan's length
  schema::Tokenize tokenize = schema::Tokenize::once;  // only for texts
  bool in_order = false;                               // do not shuffle training rows either
  // Whether an incomplete last batch is left out, of any part. Null: of training rows only.
  std::optional<bool> drop_last = {};
  bool pinned = false;  // in pinned memory, from which a GPU copies directly
  BatchPart share{};    // each process of several gets other rows
};

class Batches : public base::Interface {
 public:
  // Discards the rest of the previous epoch.
  virtual void begin_epoch() = 0;
  // Returns the next batch, on the host, or nullopt if the epoch is over or none was begun. The memory is
  // reused when all of the batch's tensors are gone. At most four batches may be held at a time.
  [[nodiscard]] virtual std::optional<Batch> next() = 0;
};

// Returns the next batch. After the last batch of an epoch it begins another epoch. Throws Error(usage) if an
// epoch has no batch.
[[nodiscard]] Batch take_batch(Batches& batches);

// Batches for the network of PLAN; the plan's own batch size is ignored. Unless OPTIONS say otherwise,
// training rows are shuffled and an incomplete last batch is left out, while rows of the other parts come in
// order and in full. Throws Error(usage) if the files cannot be opened or prepared.
[[nodiscard]] std::unique_ptr<Batches> open_batches(const DataOptions& options, const schema::NetworkPlan& plan,
                                                    DataPart part);

}  // namespace mpsbench::data
