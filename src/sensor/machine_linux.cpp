// Sensors in Linux's system files: clocks, temperature, throttling, quotas of control groups, power supply, energy.
#include "base/system_files.hpp"
#include "sensor/source.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>

namespace mpsbench::sensor {

namespace {

namespace fs = std::filesystem;
namespace name = schema::sensor;

// Older kernels interrupt a CPU to read its clock, so only some CPUs are read.
constexpr std::size_t kMostClocks = 16;

// Returns the entries of FOLDER that are named PREFIX and a number, ordered by number.
std::vector<fs::path> numbered(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    const bool digits = file.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    if (file.starts_with(prefix) && file.size() > prefix.size() && digits) found.push_back(entry->path());
  }
  const auto key = [](const fs::path& path) {
    return std::pair(path.filename().string().size(), path.filename().string());
  };
  std::sort(found.begin(), found.end(), [&](const fs::path& a, const fs::path& b) { return key(a) < key(b); });
  return found;
}

bool readable(const fs::path& file) {
  return base::read_whole_number(file).has_value();
}

// Returns the files of the CPUs' hardware monitors; if there are none, those of the CPUs' thermal zones.
std::vector<fs::path> find_temperatures(const fs::path& root) {
  constexpr std::array<const char*, 4> kMonitors{"coretemp", "k10temp", "zenpower", "cpu_thermal"};
  std::vector<fs::path> files;
  for (const fs::path& monitor : numbered(root / "sys/class/hwmon", "hwmon")) {
    const std::string driver = base::read_first_line(monitor / "name");
    const bool of_cpu = std::find(kMonitors.begin(), kMonitors.end(), driver) != kMonitors.end();
    if (of_cpu && readable(monitor / "temp1_input")) files.push_back(monitor / "temp1_input");
  }
  if (!files.empty()) return files;
  for (const fs::path& zone : numbered(root / "sys/class/thermal", "thermal_zone")) {
    const std::string type = base::read_first_line(zone / "type");
    const bool of_cpu = type == "x86_pkg_temp" || type.starts_with("cpu");
    if (of_cpu && readable(zone / "temp")) files.push_back(zone / "temp");
  }
  return files;
}

std::vector<double> read_all(const std::vector<fs::path>& files) {
  std::vector<double> values;
  for (const fs::path& file : files) {
    if (const auto value = base::read_whole_number(file)) values.push_back(static_cast<double>(*value));
  }
  return values;
}

// Returns nullopt if the kernel does not report power supplies.
std::optional<std::string> power_source(const fs::path& root) {
  std::error_code error;
  bool battery = false;
  bool discharging = false;
  for (fs::directory_iterator supply(root / "sys/class/power_supply", error), end; !error && supply != end;
       supply.increment(error)) {
    const std::string type = base::read_first_line(supply->path() / "type");
    // Scope "Device": the battery of a mouse or a phone.
    if (base::read_first_line(supply->path() / "scope") == "Device") continue;
    if (type == "Battery") {
      battery = true;
      discharging = discharging || base::read_first_line(supply->path() / "status") == "Discharging";
    } else if (base::read_first_line(supply->path() / "online") == "1") {
      return "ac";
    }
  }
  if (error) return std::nullopt;
  return battery && discharging ? "battery" : "ac";
}

constexpr const char* kPowercap = "sys/class/powercap";

// Returns the quantity that includes DOMAIN's energy; empty for parts of other domains (core, uncore) and for
// the whole platform.
std::string quantity_of(const std::string& domain) {
  if (domain.starts_with("package")) return name::kCpuEnergy;
  return domain == "dram" ? name::kDramEnergy : "";
}

// Reads the CPU's clocks, temperature and thermal throttling.
class CpuFiles final : public Source {
 public:
  explicit CpuFiles(const fs::path& root) : temperatures_(find_temperatures(root)) {
    for (const fs::path& cpu : numbered(root / "sys/devices/system/cpu", "cpu")) {
      if (readable(cpu / "cpufreq/scaling_cur_freq")) clocks_.push_back(cpu / "cpufreq/scaling_cur_freq");
      for (const char* file : {"thermal_throttle/core_throttle_count", "thermal_throttle/package_throttle_count"}) {
        if (readable(cpu / file)) throttles_.push_back(cpu / file);
      }
    }
    if (clocks_.size() <= kMostClocks) return;
    Files spread;
    for (std::size_t i = 0; i < kMostClocks; ++i) spread.push_back(clocks_[i * clocks_.size() / kMostClocks]);
    clocks_ = std::move(spread);
  }

  void read(Readings& into) override {
    const std::vector<double> clocks = read_all(clocks_);
    if (!clocks.empty()) {
      const double sum = std::accumulate(clocks.begin(), clocks.end(), 0.0);
      into[name::kCpuClock] = sum / static_cast<double>(clocks.size()) * 1e3;
    }
    const std::vector<double> temperatures = read_all(temperatures_);
    if (!temperatures.empty())
      into[name::kCpuTemperature] = *std::max_element(temperatures.begin(), temperatures.end()) / 1e3;
    const std::vector<double> throttles = read_all(throttles_);
    // If a CPU has gone offline, its count is missing and the sum would fall.
    if (!throttles.empty() && throttles.size() == throttles_.size())
      into[name::kCpuThrottleEvents] = std::accumulate(throttles.begin(), throttles.end(), 0.0);
  }

  [[nodiscard]] std::vector<MissingSensor> missing() const override {
    std::vector<MissingSensor> missing;
    if (clocks_.empty())
      missing.push_back({name::kCpuClock, "this system has no cpufreq files (most virtual machines have none)"});
    if (temperatures_.empty()) missing.push_back({name::kCpuTemperature, "no thermal sensor of the CPU is visible"});
    if (throttles_.empty())
      missing.push_back(
          {name::kCpuThrottleEvents, "the kernel does not count them here (it does for Intel's CPUs only)"});
    return missing;
  }

 private:
  using Files = std::vector<fs::path>;

  Files clocks_;        // kHz
  Files temperatures_;  // thousandths of a °C
  Files throttles_;     // events
};

// Reads how often the CPU quotas of control groups pause this program and its workers.
class CpuQuota final : public Source {
 public:
  explicit CpuQuota(fs::path root) : root_(std::move(root)) {}

  void read(Readings& into) override {
    if (const auto pauses = base::cpu_quota_pauses(root_)) into[name::kCpuQuotaPauses] = static_cast<double>(*pauses);
  }

 private:
  fs::path root_;
};

// Reads the power supply (battery or mains) and low-power mode.
class PowerFiles final : public Source {
 public:
  explicit PowerFiles(fs::path root) : root_(std::move(root)) {
    const Power power = read_power(root_);
    if (!power.source) missing_.push_back({name::kOnBattery, "the kernel does not report power supplies"});
    if (!power.mode) missing_.push_back({name::kLowPowerMode, "this machine has no platform profile"});
  }

  void read(Readings& into) override {
    const Power power = read_power(root_);
    if (power.source) into[name::kOnBattery] = power.source == "battery" ? 1 : 0;
    if (power.mode) into[name::kLowPowerMode] = power.mode == "low-power" ? 1 : 0;
  }
  [[nodiscard]] std::vector<MissingSensor> missing() const override { return missing_; }

 private:
  fs::path root_;
  std::vector<MissingSensor> missing_;
};

// Reads the energy counters (RAPL) of Intel's and AMD's processors, which Linux shows under powercap. They wrap
// around after some minutes at full load. The readings do not, if read() is called at least once in that time.
class Rapl final : public Source {
 public:
  explicit Rapl(const fs::path& root) {
    bool closed = false;
    std::error_code error;
    for (fs::directory_iterator zone(root / kPowercap, error), end; !error && zone != end; zone.increment(error)) {
      // "intel-rapl:0", "intel-rapl:0:1"; "intel-rapl-mmio:0" shows the same counters again.
      if (!zone->path().filename().string().starts_with("intel-rapl:")) continue;
      const std::string quantity = quantity_of(base::read_first_line(zone->path() / "name"));
      if (quantity.empty()) continue;
      const fs::path file = zone->path() / "energy_uj";
      const auto energy = base::read_whole_number(file);
      const auto range = base::read_whole_number(zone->path() / "max_energy_range_uj");
      if (energy && range) {
        domains_.push_back({file, quantity, *range, *energy, 0});
      } else {
        closed = true;
      }
    }
    if (closed) {
      // The sum would be wrong if some of the packages were missing.
      domains_.clear();
      missing_ = {{name::kCpuEnergy, "only root can read RAPL's counters",
                   "run `sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj` (lasts until the next reboot)"}};
    } else if (domains_.empty()) {
      missing_ = {
          {name::kCpuEnergy, "this system shows no RAPL counters (virtual machines and most Arm CPUs have none)"}};
    }
  }

  void read(Readings& into) override {
    std::set<std::string> silent;
    for (Domain& domain : domains_) {
      const auto now = base::read_whole_number(domain.file);
      if (!now) {
        silent.insert(domain.quantity);
        continue;
      }
      domain.total_uj += *now >= domain.last_uj ? *now - domain.last_uj : *now + domain.range_uj - domain.last_uj;
      domain.last_uj = *now;
      into[domain.quantity] += static_cast<double>(domain.total_uj) * 1e-6;
    }
    for (const std::string& quantity : silent) into.erase(quantity);
  }
  [[nodiscard]] std::vector<MissingSensor> missing() const override { return missing_; }

 private:
  struct Domain {
    fs::path file;
    std::string quantity;
    std::int64_t range_uj = 0;  // the counter's range: it then starts again at 0
    std::int64_t last_uj = 0;
    std::int64_t total_uj = 0;  // counted since the source was made
  };

  std::vector<Domain> domains_;
  std::vector<MissingSensor> missing_;
};

}  // namespace

Power read_power(const fs::path& root) {
  Power power{power_source(root), std::nullopt};
  const std::string profile = base::read_first_line(root / "sys/firmware/acpi/platform_profile");
  if (!profile.empty()) power.mode = profile == "low-power" ? "low-power" : "normal";
  return power;
}

Sources machine_sources(const Places& places) {
  Sources sources;
  // Comes first, so that energy is read as close as possible to the start and end of the measurement.
  sources.push_back(std::make_unique<Rapl>(places.root));
  sources.push_back(std::make_unique<CpuFiles>(places.root));
  sources.push_back(std::make_unique<CpuQuota>(places.root));
  sources.push_back(std::make_unique<PowerFiles>(places.root));
  return sources;
}

}  // namespace mpsbench::sensor
