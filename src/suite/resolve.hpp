// Turns one point of a matrix, with its settings and its model's definition, into a case that can be planned.
#pragma once

#include "base/error.hpp"
#include "model/definition.hpp"
#include "schema/report.hpp"
#include "suite/host.hpp"
#include "suite/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::suite {

// The coordinates of a point on the axes of a matrix.
struct MatrixPoint {
  schema::Mode mode{};
  schema::DeviceId device;
  std::int64_t batch_size = 0;  // of each rank; 0: still to be found
  schema::Precision precision = schema::Precision::fp32;
  schema::Engine engine = schema::Engine::eager;
  std::int64_t ranks = 1;
  std::optional<std::int64_t> threads{};          // null: default_threads()
  std::optional<std::int64_t> interop_threads{};  // null: LibTorch's default
  std::optional<std::int64_t> prompt{}, depth{};  // null: the default of cases that generate
};

// What --model takes for all models of the project.
inline constexpr const char* kAllModels = "all";

// Whether the user named the models one by one. If not, what probably does not fit into memory is left out.
[[nodiscard]] bool asks_for_models(const Settings& settings);

// Returns the number of threads of cases without --threads: RANKS processes share the cores.
[[nodiscard]] std::int64_t default_threads(const Settings& settings, const Host& host, std::int64_t ranks);

// Returns the id of the case at POINT, even if the case cannot be planned.
[[nodiscard]] std::string point_id(const Settings& settings, const MatrixPoint& point,
                                   const model::Definition& definition, const Host& host);

// The network needs more memory than its device has, or cannot do what the mode does.
class DoesNotFit : public base::Error {
 public:
  // SHORTAGE is ERROR's message without its place and its cure.
  DoesNotFit(std::string shortage, const base::Error& error) : Error(error), shortage_(std::move(shortage)) {}

  [[nodiscard]] const std::string& shortage() const { return shortage_; }

 private:
  std::string shortage_;
};

// Throws Error(usage) for combinations that are impossible: a class count for a network without classes, a shape that
// is invalid at this batch size, weights of another network, or a batch that does not fit into memory. Throws
// DoesNotFit.
[[nodiscard]] schema::PlannedCase resolve_case(const Settings& settings, const MatrixPoint& point,
                                               const model::Definition& definition, const Host& host);

}  // namespace mpsbench::suite
