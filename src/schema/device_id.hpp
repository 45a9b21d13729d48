// The table of device kinds, and DeviceId, which names one device.
#pragma once

#include "schema/closed_set.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <stdexcept>

namespace mpsbench::schema {

enum class DeviceKind { cpu, mps, cuda };

struct DeviceKindRow {
  DeviceKind value;
  std::string_view name;
  std::string_view help;      // what users call it
  std::string_view maker{};   // empty: any maker
  int rank = 0;               // auto picks the usable kind with the highest rank
  bool is_host = false;       // the machine's CPU: always there, and what other devices are compared with
  bool asynchronous = false;  // an operation may still be running after its call returns
  bool indexed = false;       // a machine may have several: "cuda:1"
  bool ranks_share = false;   // several ranks can share one: --ranks counts them
  bool one_a_rank = false;    // several ranks can have one each: --gpus counts them
  bool has_nvml = false;      // NVIDIA's library reads its sensors and connections
  bool falls_back = false;    // LibTorch may hand operators that it lacks to the CPU
};

template <>
struct ClosedSet<DeviceKind> {
  static constexpr const char* kWhat = "device";
  static constexpr std::array kRows{
      DeviceKindRow{.value = DeviceKind::cpu, .name = "cpu", .help = "CPU", .is_host = true, .ranks_share = true},
      DeviceKindRow{.value = DeviceKind::mps,
                    .name = "mps",
                    .help = "Apple GPU",
                    .maker = "Apple",
                    .rank = 1,
                    .asynchronous = true,
                    .falls_back = true},
      DeviceKindRow{.value = DeviceKind::cuda,
                    .name = "cuda",
                    .help = "NVIDIA GPU",
                    .maker = "NVIDIA",
                    .rank = 2,
                    .asynchronous = true,
                    .indexed = true,
                    .one_a_rank = true,
                    .has_nvml = true}};
};

inline constexpr std::int64_t kMostDeviceIndex = 127;  // LibTorch stores the index in a signed byte

struct DeviceId {
  DeviceKind kind = DeviceKind::cpu;
  std::int64_t index = 0;  // always 0 if the kind is not indexed

  constexpr DeviceId() = default;
  constexpr explicit DeviceId(DeviceKind of_kind, std::int64_t at = 0) : kind(of_kind), index(at) {}
  // Only for literals: a string that does not name a device does not compile.
  // NOLINTNEXTLINE(google-explicit-constructor)
  consteval DeviceId(const char* name) {
    const std::optional<DeviceId> device = parse(name);
    if (!device) throw std::invalid_argument("no device");
    *this = *device;
  }

  // Accepts "cpu", "mps", "cuda", "cuda:0", "cuda:1" and so on, and also "mps:0". Returns nullopt if NAME is
  // not a device.
  [[nodiscard]] static constexpr std::optional<DeviceId> parse(std::string_view name);

  [[nodiscard]] constexpr const DeviceKindRow& row() const { return row_of(kind); }

  constexpr bool operator==(const DeviceId&) const = default;
  constexpr auto operator<=>(const DeviceId&) const = default;
};

constexpr std::optional<DeviceId> DeviceId::parse(std::string_view name) {
  const std::size_t colon = name.find(':');
  const auto kind = parse_name<DeviceKind>(name.substr(0, colon));
  if (!kind) return std::nullopt;
  if (colon == std::string_view::npos) return DeviceId(*kind);
  const DeviceKindRow& row = row_of(*kind);
  const std::string_view digits = name.substr(colon + 1);
  if (digits.empty() || digits.size() > 3 || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  std::int64_t index = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    index = index * 10 + (digit - '0');
  }
  const std::int64_t most = row.indexed ? kMostDeviceIndex : 0;
  return row.asynchronous && index <= most ? std::optional(DeviceId(*kind, index)) : std::nullopt;
}

// Returns the canonical name: "cuda" (never "cuda:0"), "cuda:1".
[[nodiscard]] std::string to_string(const DeviceId& device);

// Returns all forms that a device name can have: "cpu", "mps", "cuda", "cuda:N".
[[nodiscard]] std::vector<std::string> device_forms();

// Throws an Error(usage) that lists the known forms if READER does not hold a device's name.
[[nodiscard]] DeviceId read_device_id(const base::Reader& reader);

}  // namespace mpsbench::schema
