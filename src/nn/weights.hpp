// Reads and writes tensors in safetensors files.
#pragma once

#include "base/safetensors.hpp"
#include "schema/network_plan.hpp"
#include "schema/weights_check.hpp"

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace mpsbench::nn {

// A weights file, mapped into memory. A plan's tensors are found in it by their names and shapes.
class WeightsFile {
 public:
  // Throws Error(usage) if the file cannot be read or does not fit the plan.
  WeightsFile(const std::string& path, const schema::NetworkPlan& plan);
  ~WeightsFile();
  WeightsFile(const WeightsFile&) = delete;
  WeightsFile& operator=(const WeightsFile&) = delete;

  // NAME is the plan's.
  [[nodiscard]] bool has(const std::string& name) const { return match_.names.contains(name); }
  // Returns a view of the file. It is valid as long as this object exists.
  [[nodiscard]] at::Tensor tensor(const std::string& name) const;

 private:
  base::SafetensorsHeader header_;
  schema::WeightsMatch match_;
  void* mapped_ = nullptr;
  std::size_t bytes_ = 0;
};

// Writes CPU copies of TENSORS (float32, bfloat16 or int64). Throws Error(incomplete) if the file cannot be
// written.
void write_safetensors(const std::string& path,
                       const std::vector<std::pair<std::string, at::Tensor>>& tensors);

}  // namespace mpsbench::nn
