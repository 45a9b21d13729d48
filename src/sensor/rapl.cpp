#include "sensor/rapl.hpp"

#include "base/system_file.hpp"

#include <set>
#include <system_error>

namespace mpsbench::sensor {
namespace {

namespace fs = std::filesystem;
namespace name = schema::sensor;

constexpr const char* kFolder = "sys/class/powercap";

// Returns the quantity that includes DOMAIN's energy; empty for parts of other domains (core, uncore) and for
// the whole platform.
std::string quantity_of(const std::string& domain) {
  if (domain.starts_with("package")) return name::kCpuEnergy;
  return domain == "dram" ? name::kDramEnergy : "";
}

}  // namespace

Rapl::Rapl(const fs::path& root) {
  bool closed = false;
  std::error_code error;
  for (fs::directory_iterator zone(root / kFolder, error), end; !error && zone != end; zone.increment(error)) {
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
        {name::kCpuEnergy, "this system shows no RAPL counters (virtual machines and most Arm CPUs have none)", ""}};
  }
}

void Rapl::read(Readings& into) {
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

}  // namespace mpsbench::sensor
