// Imitates NVIDIA's management library with one GPU at 0000:3B:00.0 or, with "gpus=2", another one at
// 0000:86:00.0. It reports the values in the environment variable FAKE_NVML, such as "clock=1500 energy=2000
// slowdowns=64", in the library's own units. Everything else is not supported. Each call reads the variable,
// so that a test can change it.
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

int gpu = 0;     // its address is the handle
int second = 0;  // the other GPU's

constexpr unsigned int kBuses[] = {0x3B, 0x86};

struct PciInfo {
  char old_id[16];
  unsigned int domain, bus, device, model, board;
  char id[32];
};

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
  tell("gpus", count);
  return kSuccess;
}
FAKE int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void** device) {
  *device = index == 0 ? &gpu : &second;
  return index < 2 ? kSuccess : kNotFound;
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
FAKE int nvmlDeviceGetPciInfo_v3(void* device, PciInfo* info) {
  info->domain = info->device = 0;
  info->bus = kBuses[device == &gpu ? 0 : 1];
  return kSuccess;
}
FAKE int nvmlDeviceGetNvLinkState(void*, unsigned int link, int* is_active) {
  unsigned int links = 0;
  if (tell("links", &links) != kSuccess || link > links) return kNotSupported;
  *is_active = link < links ? 1 : 0;  // one more link is not connected
  return kSuccess;
}
FAKE int nvmlDeviceGetNvLinkRemoteDeviceType(void*, unsigned int, int* type) {
  return tell("link_end", type);
}
FAKE int nvmlDeviceGetNvLinkRemotePciInfo_v2(void* device, unsigned int, PciInfo* info) {
  info->domain = info->device = 0;
  info->bus = kBuses[device == &gpu ? 1 : 0];
  return kSuccess;
}
FAKE int nvmlDeviceGetTopologyCommonAncestor(void* one, void* other, int* level) {
  return one != other ? tell("ancestor", level) : kNotSupported;
}
FAKE int nvmlDeviceGetP2PStatus(void* one, void* other, int purpose, int* status) {
  return one != other && purpose == 0 ? tell("p2p", status) : kNotSupported;
}
// NOLINTEND(readability-identifier-naming)
