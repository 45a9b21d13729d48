#include "pipeline/random.hpp"

#include <limits>

namespace mpsbench::pipeline {

SplitMix64::SplitMix64(std::initializer_list<std::uint64_t> numbers) {
  for (const std::uint64_t number : numbers) {
    state_ ^= number;
    state_ = next();
  }
}

std::uint64_t SplitMix64::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

std::uint64_t SplitMix64::below(std::uint64_t bound) {
  // Numbers after the last whole multiple of BOUND would make small results more likely, so draw again.
  const std::uint64_t end = std::numeric_limits<std::uint64_t>::max() / bound * bound;
  std::uint64_t number = next();
  while (number >= end) number = next();
  return number % bound;
}

}  // namespace mpsbench::pipeline
