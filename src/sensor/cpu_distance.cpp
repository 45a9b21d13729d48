#include "sensor/cpu_distance.hpp"

#include "base/system_files.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <thread>

namespace mpsbench::sensor {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostPairs = 4;
constexpr std::chrono::microseconds kTime{10'000};  // for all pairs
constexpr std::uint32_t kRounds = 16;               // of a sample
constexpr std::size_t kLeastSamples = 20;
constexpr std::uint32_t kSpinsUnwatched = 256;  // between two looks at the clock

constexpr std::size_t kLineBytes = 128;  // some CPUs fetch pairs of lines

// A line that two threads write in turns, one an odd and the other an even number, and a line that says that
// it is over.
struct Lines {
  alignas(kLineBytes) std::atomic<std::uint32_t> number{0};
  alignas(kLineBytes) std::atomic<bool> over{false};
};

bool bind_to(int cpu) {
  std::array<cpu_set_t, base::kMostCpus / CPU_SETSIZE> sets{};
  const auto number = static_cast<std::size_t>(cpu);
  CPU_SET(number % CPU_SETSIZE, &sets.at(number / CPU_SETSIZE));
  return ::pthread_setaffinity_np(::pthread_self(), sizeof(sets), sets.data()) == 0;
}

void answer(Lines& lines, int cpu) {
  if (!bind_to(cpu)) return;
  while (!lines.over.load(std::memory_order_relaxed)) {
    const std::uint32_t number = lines.number.load(std::memory_order_acquire);
    if (number % 2 == 1) lines.number.store(number + 1, std::memory_order_release);
  }
}

// Whether the line came back before UNTIL.
bool comes_back(Lines& lines, std::uint32_t number, Clock::time_point until) {
  for (std::uint32_t spins = 1; lines.number.load(std::memory_order_acquire) != number + 1; ++spins) {
    if (spins % kSpinsUnwatched == 0 && Clock::now() >= until) return false;
  }
  return true;
}

// The median of short samples leaves out those during which a thread had to wait for its CPU.
std::optional<double> asked_distance(Lines& lines, int cpu, Clock::time_point until) {
  if (!bind_to(cpu)) return std::nullopt;
  std::vector<double> samples;
  std::uint32_t number = 1;
  for (Clock::time_point start = Clock::now(); start < until;) {
    bool is_whole = true;
    for (std::uint32_t round = 0; is_whole && round < kRounds; ++round, number += 2) {
      lines.number.store(number, std::memory_order_release);
      is_whole = comes_back(lines, number, until);
    }
    const Clock::time_point end = Clock::now();
    if (is_whole) samples.push_back(std::chrono::duration<double>(end - start).count() / kRounds);
    start = end;
  }
  if (samples.size() < kLeastSamples) return std::nullopt;
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

std::optional<double> pair_distance(int first, int second, std::chrono::microseconds time) {
  Lines lines;
  std::optional<double> distance;
  std::thread other;
  try {
    other = std::thread([&lines, second] { answer(lines, second); });
    // A thread of its own, because binding would stay.
    std::thread([&lines, &distance, first, time] {
      distance = asked_distance(lines, first, Clock::now() + time);
    }).join();
  } catch (const std::system_error&) {
    distance.reset();  // the system has no more threads
  }
  lines.over = true;
  if (other.joinable()) other.join();
  return distance;
}

}  // namespace

// CPUs with neighbouring numbers often share a core, so a pair is half of the list apart.
std::optional<double> cpu_distance_seconds(const std::vector<int>& cpus) {
  const std::size_t half = cpus.size() / 2;
  const std::size_t pairs = std::min(half, kMostPairs);
  std::optional<double> farthest;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const std::size_t at = pair * half / pairs;
    const auto distance = pair_distance(cpus[at], cpus[at + half], kTime / static_cast<std::int64_t>(pairs));
    if (distance) farthest = std::max(farthest.value_or(0), *distance);
  }
  return farthest;
}

}  // namespace mpsbench::sensor
