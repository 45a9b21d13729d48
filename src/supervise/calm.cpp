#include "supervise/calm.hpp"

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/units.hpp"
#include "sensor/nvml.hpp"
#include "supervise/machine_state.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace mpsbench::supervise {
namespace {

std::string still_cooling(const char* part, const std::optional<double>& before,
                          const std::optional<double>& now) {
  if (!before || !now || *before - *now < kCalmFallCelsius) return "";
  return std::string("the ") + part + " still cools down (" + std::to_string(std::lround(*now)) + " °C)";
}

std::optional<double> hottest_gpu(const std::string& library) {
  std::optional<double> hottest;
  const auto nvml = sensor::Nvml::open(library);
  if (!nvml) return hottest;
  for (const sensor::NvmlDevice& device : nvml->devices()) {
    if (const auto celsius = device.temperature_celsius())
      hottest = std::max(hottest.value_or(*celsius), *celsius);
  }
  return hottest;
}

// Reads the CPU time since the last reading, and temperatures.
class CalmReader {
 public:
  CalmReader(const schema::DeviceId& device, sensor::Places places)
      : is_cuda_(device.kind == schema::DeviceKind::cuda),
        places_(std::move(places)),
        sources_(sensor::machine_sources(places_)) {}

  CalmReading read() {
    CalmReading reading;
    const MachineState state = read_machine_state();
    const double now = base::steady_seconds();
    reading.busy_share = other_cpu_share(state_, state, 0, now - read_at_);
    state_ = state;
    read_at_ = now;
    sensor::Readings values;
    for (const auto& source : sources_) source->read(values);
    const auto found = values.find(schema::sensor::kCpuTemperature);
    if (found != values.end()) reading.cpu_celsius = found->second;
    if (is_cuda_) reading.gpu_celsius = hottest_gpu(places_.nvml);
    return reading;
  }

 private:
  bool is_cuda_;
  sensor::Places places_;
  sensor::Sources sources_;
  MachineState state_ = read_machine_state();
  double read_at_ = base::steady_seconds();
};

}  // namespace

std::string unrest(const CalmReading& before, const CalmReading& now) {
  if (now.busy_share && *now.busy_share > kCalmShare)
    return "other programs use " + base::format_significant(*now.busy_share * 100, 2) + " % of the CPU";
  const std::string cpu = still_cooling("CPU", before.cpu_celsius, now.cpu_celsius);
  return cpu.empty() ? still_cooling("GPU", before.gpu_celsius, now.gpu_celsius) : cpu;
}

std::function<CalmReading()> calm_reader(const schema::DeviceId& device, const sensor::Places& places) {
  return [reader = std::make_shared<CalmReader>(device, places)] { return reader->read(); };
}

bool wait_for_calm(const std::function<CalmReading()>& read, Interrupt& interrupt,
                   const CalmPatience& patience) {
  CalmReading before = read();
  for (double waited = patience.interval_seconds;; waited += patience.interval_seconds) {
    if (interrupt.wait(patience.interval_seconds)) return true;
    const CalmReading now = read();
    const std::string why = unrest(before, now);
    if (why.empty()) return false;
    if (waited >= patience.most_seconds) {
      const std::string time = base::format_duration(waited);
      base::log::warn(
          "--cooldown auto: " +
          (patience.ends_run ? "waited for " + time + ", until the time limit" : "goes on after " + time) +
          ", but " + why);
      return false;
    }
    before = now;
  }
}

}  // namespace mpsbench::supervise
