#include "model/init.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace mpsbench::model {
namespace {

constexpr std::array<const char*, 4> kWords{"default", "zeros", "ones", "kaiming_normal_fan_out"};
constexpr std::array<const char*, 2> kScaled{"normal", "uniform"};
constexpr double kLargestScale = 1e6;

}  // namespace

nlohmann::json read_init(const base::Reader& value) {
  if (value.is_object()) {
    base::Reader reader = value;
    for (const char* key : kScaled) {
      if (!reader.has(key)) continue;
      const double scale = reader.at(key).number(0, kLargestScale);
      reader.done();
      return {{key, scale}};
    }
  } else if (value.is_string() && std::find(kWords.begin(), kWords.end(), value.string()) != kWords.end()) {
    return value.value();
  }
  throw value.error(
      "expected \"default\", \"zeros\", \"ones\", \"kaiming_normal_fan_out\", {\"normal\": std} or "
      "{\"uniform\": bound}");
}

bool set_init(schema::NetworkTensor& tensor, const nlohmann::json& init, const DefaultInit& initial,
              std::int64_t fan_out) {
  if (init.is_object()) {
    tensor.init = init.begin().key();
    tensor.scale = init.begin().value().get<double>();
  } else if (init == "default") {
    tensor.init = initial.init;
    tensor.scale = initial.scale;
  } else if (init == "kaiming_normal_fan_out") {
    if (fan_out == 0) return false;
    tensor.init = "normal";
    tensor.scale = std::sqrt(2.0 / static_cast<double>(fan_out));
  } else {
    tensor.init = init.get<std::string>();
  }
  return true;
}

}  // namespace mpsbench::model
