// Seeded random series that are the same with every standard library.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace mpsbench::stats {

class RandomSeries {
 public:
  explicit RandomSeries(std::uint64_t seed) : engine_(seed) {}

  // Uniform between 0 and 1, both excluded.
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }

  // Standard normal, by the Box-Muller method.
  double normal() {
    constexpr double kTwoPi = 6.283185307179586;
    return std::sqrt(-2 * std::log(uniform())) * std::cos(kTwoPi * uniform());
  }

  // Student's t with three degrees of freedom, which has an infinite fourth moment.
  double student3() {
    double squares = 0;
    for (int i = 0; i < 3; ++i) {
      const double value = normal();
      squares += value * value;
    }
    return normal() / std::sqrt(squares / 3);
  }

  // Skewed, with median 1.
  double lognormal() { return std::exp(normal()); }

  static std::vector<double> independent(std::size_t count, const std::function<double()>& draw) {
    std::vector<double> samples(count);
    for (double& sample : samples) sample = draw();
    return samples;
  }

  // Stationary, with median 0: each value is RHO times the value before plus normal noise.
  std::vector<double> autoregressive(std::size_t count, double rho) {
    std::vector<double> samples(count);
    double value = normal() / std::sqrt(1 - rho * rho);
    for (double& sample : samples) {
      sample = value;
      value = rho * value + normal();
    }
    return samples;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace mpsbench::stats
