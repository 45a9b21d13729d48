#include "nn/parameters.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/safetensors.hpp"
#include "nn/quantization.hpp"
#include "schema/weights_check.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ThreadLocalState.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace mpsbench::nn {

namespace {

using Type = std::pair<const char*, at::ScalarType>;
constexpr std::array kTypes{Type{"F32", at::kFloat},
                            Type{"F16", at::kHalf},
                            Type{"BF16", at::kBFloat16},
                            Type{"F64", at::kDouble},
                            Type{"I64", at::kLong},
                            Type{"I32", at::kInt},
                            Type{"I16", at::kShort},
                            Type{"I8", at::kChar},
                            Type{"U8", at::kByte},
                            Type{"BOOL", at::kBool},
                            Type{"F8_E5M2", at::kFloat8_e5m2},
                            Type{"F8_E4M3", at::kFloat8_e4m3fn}};

at::ScalarType scalar_type(const std::string& dtype, const std::string& name) {
  for (const auto& [text, type] : kTypes) {
    if (dtype == text) return type;
  }
  throw base::usage_error("'" + name + "': mpsbench cannot load tensors of type " + dtype);
}

std::string dtype_name(at::ScalarType type) {
  for (const auto& [text, candidate] : kTypes) {
    if (candidate == type) return text;
  }
  throw base::Error(base::ErrorKind::internal,
                    std::string("safetensors: no name for the tensor type ") + c10::toString(type));
}

at::Tensor empty(const schema::NetworkTensor& plan) {
  return at::empty(plan.shape, c10::getStringToDtypeMap().at(to_string(plan.dtype)));
}

void fill(const at::Tensor& tensor, const schema::NetworkTensor& plan, at::Generator& generator) {
  if (plan.init == "zeros") {
    tensor.zero_();
  } else if (plan.init == "ones") {
    tensor.fill_(1);
  } else if (plan.init == "normal") {
    tensor.normal_(0, plan.scale, generator);
  } else if (plan.init == "uniform") {
    tensor.uniform_(-plan.scale, plan.scale, generator);
  } else if (plan.init == "constant") {
    tensor.fill_(plan.scale);
  } else {
    throw base::usage_error("'" + plan.name + "': unknown initialisation '" + plan.init + "'");
  }
}

constexpr std::int64_t kDrawnAtOnce = std::int64_t{1} << 24;  // elements

// A generator has one thread, and a large network would take minutes. So each part has its own generator.
void fill_in_parts(const at::Tensor& tensor, const schema::NetworkTensor& plan, at::Generator& generator) {
  const std::uint64_t seed = generator.get<at::CPUGeneratorImpl>()->random64();
  const at::Tensor flat = tensor.view({-1});
  const std::int64_t parts = (flat.numel() + kDrawnAtOnce - 1) / kDrawnAtOnce;
  const at::ThreadLocalState here;  // other threads do not have it
  at::parallel_for(0, parts, 1, [&](std::int64_t begin, std::int64_t end) {
    const at::ThreadLocalStateGuard same(here);
    for (std::int64_t part = begin; part < end; ++part) {
      at::Generator own = at::make_generator<at::CPUGeneratorImpl>(seed + static_cast<std::uint64_t>(part));
      const std::int64_t first = part * kDrawnAtOnce;
      fill(flat.narrow(0, first, std::min(kDrawnAtOnce, flat.numel() - first)), plan, own);
    }
  });
}

at::Tensor draw_tensor(const schema::NetworkTensor& plan, at::Generator& generator) {
  at::Tensor tensor = empty(plan);
  tensor.numel() > kDrawnAtOnce ? fill_in_parts(tensor, plan, generator) : fill(tensor, plan, generator);
  if (plan.zero_row) tensor.select(0, *plan.zero_row).zero_();
  return tensor;
}

// A weights file, in which a plan's tensors are found by their names and shapes.
class WeightsFile {
 public:
  // Throws Error(usage) if the file cannot be read or does not fit the plan.
  WeightsFile(const std::string& path, const schema::NetworkPlan& plan)
      : header_(base::read_safetensors_header(path)), match_(schema::match_weights(header_, plan, path)), file_(path) {}

  // NAME is the plan's.
  [[nodiscard]] bool has(const std::string& name) const { return match_.names.contains(name); }
  // Returns a view of the file, which is only read. It is valid as long as this object exists.
  [[nodiscard]] at::Tensor tensor(const std::string& name) const {
    const base::TensorEntry& entry = header_.tensors.at(match_.names.at(name));
    const char* data = file_.text().data() + header_.data_offset + entry.begin;
    return at::from_blob(const_cast<char*>(data), entry.shape, at::dtype(scalar_type(entry.dtype, name)));
  }

 private:
  base::SafetensorsHeader header_;
  schema::WeightsMatch match_;
  base::MappedFile file_;
};

// How a weight is quantized, and its rows: as a view, if the layer stores it transposed.
struct StoredRows {
  schema::Quantization how;
  bool is_transposed = false;

  [[nodiscard]] at::Tensor of(const at::Tensor& weight) const { return is_transposed ? weight.t() : weight; }
};

std::map<std::string, StoredRows> quantized_of(const schema::NetworkPlan& plan) {
  std::map<std::string, StoredRows> all;
  for (const schema::NetworkNode& node : plan.nodes) {
    for (const schema::NetworkTensor& tensor : node.tensors) {
      if (tensor.quantized)
        all.emplace(tensor.name, StoredRows{*tensor.quantized, node.options.value("transposed", false)});
    }
  }
  return all;
}

}  // namespace

void write_safetensors(const std::string& path, const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
  std::map<std::string, base::TensorEntry> entries;
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor plain = tensor.detach().to(at::kCPU).contiguous();
    base::TensorEntry entry{dtype_name(plain.scalar_type()), plain.sizes().vec(), data.size(), 0};
    data.append(static_cast<const char*>(plain.const_data_ptr()), plain.nbytes());
    entry.end = data.size();
    entries.emplace(name, std::move(entry));
  }
  base::write_file(path, base::make_safetensors_header(entries) + data);
}

Parameters Parameters::make(const schema::NetworkPlan& plan, const std::string* file, std::int64_t seed,
                            const c10::Device& device) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
  std::optional<WeightsFile> weights;
  if (file != nullptr) weights.emplace(*file, plan);
  Parameters parameters;
  for (const schema::NetworkNode& node : plan.nodes) {
    for (const schema::NetworkTensor& planned : node.tensors) {
      if (planned.is_shared) continue;
      const at::Tensor tensor = weights && weights->has(planned.name)
                                    ? empty(planned).copy_(weights->tensor(planned.name))
                                    : draw_tensor(planned, generator);
      parameters.tensors_.push_back({planned.name, tensor.to(device), planned.trainable});
    }
  }
  return parameters;
}

void Parameters::quantize(const schema::NetworkPlan& plan, const c10::Device& device) {
  const std::map<std::string, StoredRows> quantized = quantized_of(plan);
  std::vector<NamedTensor> all;
  for (const NamedTensor& one : tensors_) {
    const auto found = quantized.find(one.name);
    if (found == quantized.end()) {
      all.push_back({one.name, one.tensor.to(device), one.trainable});
      continue;
    }
    auto [packed, scales] = nn::quantize(found->second.of(one.tensor), found->second.how, device);
    all.push_back({one.name, std::move(packed), false});
    all.push_back({scales_of(one.name), std::move(scales), false});
  }
  tensors_ = std::move(all);
}

Parameters Parameters::dequantized(const schema::NetworkPlan& plan) const {
  const std::map<std::string, StoredRows> quantized = quantized_of(plan);
  Parameters all = copy(at::kCPU);
  all.to_type(at::kFloat);
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const auto found = quantized.find(tensors_[i].name);
    if (found == quantized.end()) continue;
    const at::NoGradGuard no_grad;
    const StoredRows& rows = found->second;
    rows.of(all.tensors_[i].tensor).copy_(nn::dequantized(rows.of(tensors_[i].tensor), rows.how));
  }
  return all;
}

std::vector<at::Tensor> Parameters::trainable() const {
  std::vector<at::Tensor> tensors;
  for (const NamedTensor& named : tensors_) {
    if (named.trainable) tensors.push_back(named.tensor);
  }
  return tensors;
}

std::vector<at::Tensor> Parameters::detached() const {
  std::vector<at::Tensor> tensors;
  for (const NamedTensor& named : tensors_) tensors.push_back(named.tensor.detach());
  return tensors;
}

Parameters Parameters::copy(const c10::Device& device) const {
  Parameters copies;
  for (const auto& [name, tensor, trainable] : tensors_) {
    copies.tensors_.push_back({name,
                               tensor.detach().to(device, tensor.scalar_type(), /*non_blocking=*/false,
                                                  /*copy=*/true),
                               trainable});
  }
  return copies;
}

void Parameters::require_gradients() {
  for (NamedTensor& named : tensors_) {
    if (named.trainable) named.tensor.set_requires_grad(true);
  }
}

void Parameters::to_channels_last() {
  for (NamedTensor& named : tensors_) {
    // In place, because the network's layers hold the same tensor.
    if (named.tensor.dim() == 4 && named.tensor.is_floating_point())
      named.tensor.set_data(named.tensor.contiguous(at::MemoryFormat::ChannelsLast));
  }
}

void Parameters::to_type(c10::ScalarType type) {
  for (NamedTensor& named : tensors_) {
    // In place, as above. This keeps the order in memory.
    if (named.tensor.is_floating_point()) named.tensor.set_data(named.tensor.to(type));
  }
}

}  // namespace mpsbench::nn
