// Imitates NVIDIA's management library with one GPU, at 0000:3B:00.0. It reports the values in the
// environment variable FAKE_NVML, such as "clock=1500 energy=2000 slowdowns=64", in the library's own units.
// Everything else is not supported. Each call reads the variable, so that a test can change it. If
// FAKE_NVML_2 is set, there is a second GPU, at 0000:AF:00.0, with the values in it.
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

int gpus[2];  // their addresses are the handles

constexpr unsigned int kBuses[] = {0x3B, 0xAF};

struct PciInfo {
  char old_id[16];
  unsigned int domain, bus, device, model, board;
  char id[32];
};

const char* second_gpu() {
  return std::getenv("FAKE_NVML_2");
}

template <typename Number>
int tell(const void* device, const std::string& key, Number* into) {
  const char* variable = device == &gpus[1] ? second_gpu() : std::getenv("FAKE_NVML");
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
  return tell(&gpus[0], "init", &status) == kSuccess ? static_cast<int>(status) : kSuccess;
}
FAKE int nvmlShutdown() {
  return kSuccess;
}
FAKE int nvmlDeviceGetCount_v2(unsigned int* count) {
  *count = second_gpu() == nullptr ? 1 : 2;
  return kSuccess;
}
FAKE int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void** device) {
  *device = &gpus[index == 1];
  return index == 0 || (index == 1 && second_gpu() != nullptr) ? kSuccess : kNotFound;
}
FAKE int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
  const bool is_second = second_gpu() != nullptr && std::strcmp(id, "0000:AF:00.0") == 0;
  *device = &gpus[is_second];
  return is_second || std::strcmp(id, "0000:3B:00.0") == 0 ? kSuccess : kNotFound;
}
FAKE int nvmlDeviceGetName(void*, char* text, unsigned int size) {
  std::strncpy(text, "Fake H200", size);
  return kSuccess;
}
FAKE int nvmlDeviceGetClockInfo(void* device, int clock, unsigned int* megahertz) {
  return clock == 1 ? tell(device, "clock", megahertz) : kNotSupported;
}
FAKE int nvmlDeviceGetMaxClockInfo(void* device, int clock, unsigned int* megahertz) {
  return clock == 1 ? tell(device, "max_clock", megahertz) : kNotSupported;
}
FAKE int nvmlDeviceGetTemperature(void* device, int place, unsigned int* celsius) {
  return place == 0 ? tell(device, "temperature", celsius) : kNotSupported;
}
FAKE int nvmlDeviceGetPowerUsage(void* device, unsigned int* milliwatts) {
  return tell(device, "power", milliwatts);
}
FAKE int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
  return tell(device, "energy", millijoules);
}
FAKE int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* bits) {
  return tell(device, "slowdowns", bits);
}
FAKE int nvmlDeviceGetUtilizationRates(void* device, unsigned int* percent) {
  percent[1] = 99;  // the memory's utilisation
  return tell(device, "utilization", &percent[0]);
}
FAKE int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned int* count, void*) {
  unsigned int running = 0;
  if (tell(device, "processes", &running) != kSuccess) return kNotSupported;
  const bool enough = *count >= running;
  *count = running;
  return enough ? kSuccess : kInsufficientSize;
}
FAKE int nvmlDeviceGetMemoryInfo(void* device, unsigned long long* bytes) {
  bytes[0] = bytes[1] = 1;  // total, free
  return tell(device, "memory", &bytes[2]);
}
FAKE int nvmlDeviceGetPciInfo_v3(void* device, PciInfo* info) {
  info->domain = info->device = 0;
  info->bus = kBuses[device == &gpus[0] ? 0 : 1];
  return kSuccess;
}
FAKE int nvmlDeviceGetNvLinkState(void* device, unsigned int link, int* is_active) {
  unsigned int links = 0;
  if (tell(device, "links", &links) != kSuccess || link > links) return kNotSupported;
  *is_active = link < links ? 1 : 0;  // one more link is not connected
  return kSuccess;
}
FAKE int nvmlDeviceGetNvLinkRemoteDeviceType(void* device, unsigned int, int* type) {
  return tell(device, "link_end", type);
}
FAKE int nvmlDeviceGetNvLinkRemotePciInfo_v2(void* device, unsigned int, PciInfo* info) {
  info->domain = info->device = 0;
  info->bus = kBuses[device == &gpus[0] ? 1 : 0];
  return kSuccess;
}
FAKE int nvmlDeviceGetTopologyCommonAncestor(void* one, void* other, int* level) {
  return one != other ? tell(one, "ancestor", level) : kNotSupported;
}
FAKE int nvmlDeviceGetP2PStatus(void* one, void* other, int purpose, int* status) {
  return one != other && purpose == 0 ? tell(one, "p2p", status) : kNotSupported;
}
// NOLINTEND(readability-identifier-naming)
