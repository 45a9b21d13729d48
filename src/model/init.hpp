// How parameters are drawn: what a definition may write, resolved to what the plan holds.
#pragma once

#include "base/json_reader.hpp"
#include "schema/network_plan.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>

namespace mpsbench::model {

// "default", "zeros", "ones", {"normal": std}, {"uniform": bound} or "kaiming_normal_fan_out".
[[nodiscard]] nlohmann::json read_init(const base::Reader& value);

// What "default" means for a tensor, as torch.nn initialises it.
struct DefaultInit {
  const char* init;
  double scale = 0;
};

// Sets init and scale of TENSOR. FAN_OUT serves kaiming_normal_fan_out (ReLU's gain); 0: the tensor has none,
// and false is returned when it is asked for.
[[nodiscard]] bool set_init(schema::NetworkTensor& tensor, const nlohmann::json& init,
                            const DefaultInit& initial, std::int64_t fan_out);

}  // namespace mpsbench::model
