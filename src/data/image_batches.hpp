// Batches of the images of a data set, prepared in advance by threads: resized, cropped and normalised to -1
// ... 1.
#pragma once

#include "data/batches.hpp"
#include "data/targets.hpp"

#include <memory>

namespace mpsbench::data {

// Training images are cropped at a random place, others at the centre.
class ImageBatches final : public Batches {
 public:
  ImageBatches(const DataOptions& options, const schema::NetworkPlan& plan, DataPart part);
  ~ImageBatches() override;

  void begin_epoch() override;
  [[nodiscard]] std::optional<Batch> next() override;

 private:
  struct Loading;
  std::unique_ptr<Loading> loading_;
  Targets targets_;
  std::int64_t epoch_ = 0;
};

}  // namespace mpsbench::data
