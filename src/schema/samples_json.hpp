// The JSON of a launch's samples.
#pragma once

#include "schema/field_json.hpp"

#include <cstddef>

namespace mpsbench::schema {

template <>
struct Json<std::vector<double>> {
  // No launch takes as many. A limit is needed because some analyses take quadratic time.
  static constexpr std::size_t kMost = 10'000;

  static nlohmann::ordered_json write(const std::vector<double>& samples) { return samples; }
  static std::vector<double> read(const base::Reader& reader, const FieldInfo& about) {
    std::vector<double> samples = reader.numbers();
    if (samples.size() > kMost) {
      throw reader.error("has " + std::to_string(samples.size()) + " samples, more than the " +
                         std::to_string(kMost) + " that a launch can have");
    }
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i] < about.bounds.min || samples[i] > about.bounds.max)
        (void)Json<double>::read(reader.item(i), about);  // throws the right error
    }
    return samples;
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    return {{"type", "array"}, {"items", Json<double>::schema(about)}, {"maxItems", kMost}};
  }
};

}  // namespace mpsbench::schema
