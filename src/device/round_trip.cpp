#include "device/round_trip.hpp"

#include <ATen/ATen.h>

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

namespace mpsbench::device {
namespace {

struct Numbers {
  const char* name;
  at::Tensor sent;
};

// The bits of float32: without the sign, then with it.
at::Tensor floats(std::initializer_list<std::uint32_t> bits) {
  constexpr std::uint32_t kSign = 0x8000'0000;
  std::vector<std::int32_t> both;
  for (const std::uint32_t one : bits) {
    both.push_back(std::bit_cast<std::int32_t>(one));
    both.push_back(std::bit_cast<std::int32_t>(one | kSign));
  }
  return at::tensor(both).view(at::kFloat);
}

std::array<Numbers, 4> numbers() {
  using Limits = std::numeric_limits<std::int64_t>;
  return {{{"float32 zeros and ordinary numbers", floats({0, 0x3f80'0000, 0x0080'0000, 0x7f7f'ffff})},
           {"float32 denormals", floats({0x0000'0001, 0x0040'0000, 0x007f'ffff})},
           {"float32 infinities and NaNs", floats({0x7f80'0000, 0x7fc0'0000})},
           {"int64 numbers", at::tensor({std::int64_t{0}, std::int64_t{-1}, (std::int64_t{1} << 53) + 1, Limits::min(),
                                         Limits::max()})}}};
}

bool has_same_bits(const at::Tensor& one, const at::Tensor& other) {
  return one.scalar_type() == other.scalar_type() && one.sizes() == other.sizes() &&
         one.contiguous().view(at::kByte).equal(other.contiguous().view(at::kByte));
}

}  // namespace

std::string why_not_returned(const std::function<at::Tensor(const at::Tensor&)>& send_and_fetch) {
  for (const Numbers& one : numbers()) {
    if (!has_same_bits(one.sent, send_and_fetch(one.sent)))
      return std::string(one.name) + " that were copied to it came back changed";
  }
  return "";
}

}  // namespace mpsbench::device
