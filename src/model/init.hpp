// How parameters are initialised. Turns what a definition may say into what the plan needs.
#pragma once

#include "base/json_reader.hpp"
#include "schema/network_plan.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>

namespace mpsbench::model {

// Checks VALUE: "default", "zeros", "ones", "kaiming_normal_fan_out", {"normal": std} or {"uniform": bound}.
[[nodiscard]] nlohmann::json read_init(const base::Reader& value);

// What "default" means for a tensor: how torch.nn initialises it.
struct DefaultInit {
  const char* init;
  double scale = 0;
};

// Sets init and scale of TENSOR. FAN_OUT is for kaiming_normal_fan_out (with ReLU's gain). Returns false if
// INIT needs a FAN_OUT and it is 0, which means that the tensor has none.
[[nodiscard]] bool set_init(schema::NetworkTensor& tensor, const nlohmann::json& init,
                            const DefaultInit& initial, std::int64_t fan_out);

}  // namespace mpsbench::model
