#include "nn/weights.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"

#include <ATen/ATen.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <map>

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

void write_safetensors(const std::string& path,
                       const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
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

}  // namespace mpsbench::nn
