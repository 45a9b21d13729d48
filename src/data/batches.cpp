#include "data/batches.hpp"

#include "data/image_batches.hpp"
#include "data/text_batches.hpp"

namespace mpsbench::data {

std::string to_string(Part part) {
  if (part == Part::train) return "train";
  return part == Part::validation ? "validation" : "test";
}

std::unique_ptr<Batches> open_batches(const DataOptions& options, const schema::Plan& plan, Part part) {
  if (options.dataset == "trec") return std::make_unique<TextBatches>(options, plan, part);
  return std::make_unique<ImageBatches>(options, plan, part);
}

}  // namespace mpsbench::data
