// Imitates NVIDIA's management library with one GPU, at 0000:3B:00.0. It reports the values in the
// environment variable FAKE_NVML, such as "clock=1500 energy=2000 slowdowns=64", in the library's own units.
// Everything else is not supported. Each call reads the variable, so that a test can change it.
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

#define FAKE extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;
constexpr int kInsufficientSize = 7;

int gpu = 0;  // its address is the handle

template <typename Number>
int tell(const std::string& key, Number* into) {
  const char* variable = std::getenv("FAKE_NVML");
  std::istringstream words(variable == nullptr ? "" : variable);
  for (std::string word; words >> word;) {
    if (word.rfind(key + "=", 0) != 0) continue;
    *into = static_cast<Number>(std::stoull(word.substr(key.size() + 1)));
    return kSuccess;
  }
  return kNotSupported;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the library's names
FAKE int nvmlInit_v2() {
  unsigned int status = 0;
  return tell("init", &status) == kSuccess ? static_cast<int>(status) : kSuccess;
}
FAKE int nvmlShutdown() {
  return kSuccess;
}
FAKE int nvmlDeviceGetCount_v2(unsigned int* count) {
  *count = 1;
  return kSuccess;
}
FAKE int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void** device) {
  *device = &gpu;
  return index == 0 ? kSuccess : kNotFound;
}
FAKE int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
  *device = &gpu;
  return std::strcmp(id, "0000:3B:00.0") == 0 ? kSuccess : kNotFound;
}
FAKE int nvmlDeviceGetName(void*, char* text, unsigned int size) {
  std::strncpy(text, "Fake H200", size);
  return kSuccess;
}
FAKE int nvmlDeviceGetClockInfo(void* device, int clock, unsigned int* megahertz) {
  return device == &gpu && clock == 1 ? tell("clock", megahertz) : kNotSupported;
}
FAKE int nvmlDeviceGetMaxClockInfo(void* device, int clock, unsigned int* megahertz) {
  return device == &gpu && clock == 1 ? tell("max_clock", megahertz) : kNotSupported;
}
FAKE int nvmlDeviceGetTemperature(void* device, int place, unsigned int* celsius) {
  return device == &gpu && place == 0 ? tell("temperature", celsius) : kNotSupported;
}
FAKE int nvmlDeviceGetPowerUsage(void*, unsigned int* milliwatts) {
  return tell("power", milliwatts);
}
FAKE int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  return tell("energy", millijoules);
}
FAKE int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* bits) {
  return tell("slowdowns", bits);
}
FAKE int nvmlDeviceGetUtilizationRates(void*, unsigned int* percent) {
  percent[1] = 99;  // the memory's utilisation
  return tell("utilization", &percent[0]);
}
FAKE int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned int* count, void*) {
  unsigned int running = 0;
  if (tell("processes", &running) != kSuccess) return kNotSupported;
  const bool enough = *count >= running;
  *count = running;
  return enough ? kSuccess : kInsufficientSize;
}
FAKE int nvmlDeviceGetMemoryInfo(void*, unsigned long long* bytes) {
  bytes[0] = bytes[1] = 1;  // total, free
  return tell("memory", &bytes[2]);
}
// NOLINTEND(readability-identifier-naming)
