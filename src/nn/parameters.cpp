#include "nn/parameters.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <map>
#include <utility>

namespace mpsbench::nn {

namespace {

constexpr std::array<std::pair<const char*, at::ScalarType>, 12> kTypes{{{"F32", at::kFloat},
                                                                         {"F16", at::kHalf},
                                                                         {"BF16", at::kBFloat16},
                                                                         {"F64", at::kDouble},
                                                                         {"I64", at::kLong},
                                                                         {"I32", at::kInt},
                                                                         {"I16", at::kShort},
                                                                         {"I8", at::kChar},
                                                                         {"U8", at::kByte},
                                                                         {"BOOL", at::kBool},
                                                                         {"F8_E5M2", at::kFloat8_e5m2},
                                                                         {"F8_E4M3", at::kFloat8_e4m3fn}}};

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

at::Tensor draw_tensor(const schema::NetworkTensor& plan, at::Generator& generator) {
  at::Tensor tensor = empty(plan);
  if (plan.init == "zeros") {
    tensor.zero_();
  } else if (plan.init == "ones") {
    tensor.fill_(1);
  } else if (plan.init == "normal") {
    tensor.normal_(0, plan.scale, generator);
  } else if (plan.init == "uniform") {
    tensor.uniform_(-plan.scale, plan.scale, generator);
  } else {
    throw base::usage_error("'" + plan.name + "': unknown initialisation '" + plan.init + "'");
  }
  if (plan.zero_row) tensor.select(0, *plan.zero_row).zero_();
  return tensor;
}

}  // namespace

WeightsFile::WeightsFile(const std::string& path, const schema::NetworkPlan& plan)
    : header_(base::read_safetensors_header(path)),
      match_(schema::match_weights(header_, plan, path)),
      bytes_(std::filesystem::file_size(path)) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd >= 0) mapped_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, fd, 0);
  if (fd >= 0) ::close(fd);
  if (fd < 0 || mapped_ == MAP_FAILED) throw base::usage_error(path + ": cannot be read");
}

WeightsFile::~WeightsFile() {
  ::munmap(mapped_, bytes_);
}

at::Tensor WeightsFile::tensor(const std::string& name) const {
  const base::TensorEntry& entry = header_.tensors.at(match_.names.at(name));
  auto* data = static_cast<std::byte*>(mapped_) + header_.data_offset + entry.begin;
  return at::from_blob(data, entry.shape, at::dtype(scalar_type(entry.dtype, name)));
}

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

Parameters Parameters::draw(const schema::NetworkPlan& plan, std::int64_t seed, const c10::Device& device) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
  Parameters parameters;
  for (const schema::NetworkNode& node : plan.nodes) {
    for (const schema::NetworkTensor& tensor : node.tensors) {
      parameters.tensors_.push_back({tensor.name, draw_tensor(tensor, generator).to(device), tensor.trainable});
    }
  }
  return parameters;
}

Parameters Parameters::load(const schema::NetworkPlan& plan, const std::string& file, std::int64_t seed,
                            const c10::Device& device) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
  Parameters parameters;
  const WeightsFile weights(file, plan);
  for (const schema::NetworkNode& node : plan.nodes) {
    for (const schema::NetworkTensor& planned : node.tensors) {
      const at::Tensor tensor = weights.has(planned.name) ? empty(planned).copy_(weights.tensor(planned.name))
                                                          : draw_tensor(planned, generator);
      parameters.tensors_.push_back({planned.name, tensor.to(device), planned.trainable});
    }
  }
  return parameters;
}

std::vector<at::Tensor> Parameters::trainable() const {
  std::vector<at::Tensor> tensors;
  for (const NamedTensor& named : tensors_) {
    if (named.trainable) tensors.push_back(named.tensor);
  }
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
    if (named.tensor.dim() == 4) named.tensor.set_data(named.tensor.contiguous(at::MemoryFormat::ChannelsLast));
  }
}

void Parameters::to_fp64() {
  for (NamedTensor& named : tensors_) {
    // In place, as above. This keeps the order in memory.
    if (named.tensor.is_floating_point()) named.tensor.set_data(named.tensor.to(at::kDouble));
  }
}

}  // namespace mpsbench::nn
