// Where batches come from, on the host: of a data set's files, as a network takes them.
#pragma once

#include "base/interface.hpp"
#include "data/synthetic.hpp"
#include "schema/data_part.hpp"
#include "schema/data_source.hpp"
#include "schema/network_plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mpsbench::data {

using schema::DataPart;

struct DataOptions {
  schema::Dataset dataset = schema::Dataset::synthetic;  // one of files
  std::string folder;                                    // of its files
  std::string vocabulary;                                // file; of texts only
  std::int64_t batch_size = 0;
  std::int64_t workers = 0;  // threads that prepare images; texts are tokenised when they are opened
  std::int64_t seed = 0;
  std::optional<std::int64_t> rows = {};  // only the first so many of the part
  schema::TrecLabels trec_labels = schema::kDefaultTrecLabels;
  bool pad_to_longest = false;  // pad texts to the batch's longest, not to the plan's length
  bool in_order = false;        // training rows too
  bool whole_batches = false;   // leave out a last batch that is not full, whatever the part
  bool pinned = false;          // in memory that a GPU copies from without a detour
};

class Batches : public base::Interface {
 public:
  // Drops what is left of the last one.
  virtual void begin_epoch() = 0;
  // On the host; none: the epoch is over, or none was begun. The memory may be filled again when the last of
  // the tensors is gone; no more than four batches may be held.
  [[nodiscard]] virtual std::optional<Batch> next() = 0;
};

// The next one; after the last of an epoch the first of another. Throws Error(usage) when an epoch has none.
[[nodiscard]] Batch take_batch(Batches& batches);

// For the network of PLAN, whose batch size does not count. The rows that train come shuffled, and without
// the last batch where it is not full, unless asked otherwise; those of the other parts in order and whole.
// Throws Error(usage) as those who open and prepare the files do.
[[nodiscard]] std::unique_ptr<Batches> open_batches(const DataOptions& options,
                                                    const schema::NetworkPlan& plan, DataPart part);

}  // namespace mpsbench::data
