#include "sensor/cpu_quota.hpp"

#include "base/cgroup_cpu.hpp"

namespace mpsbench::sensor {

void CpuQuota::read(Readings& into) {
  if (const auto pauses = base::cpu_quota_pauses(root_))
    into[schema::sensor::kCpuQuotaPauses] = static_cast<double>(*pauses);
}

}  // namespace mpsbench::sensor
