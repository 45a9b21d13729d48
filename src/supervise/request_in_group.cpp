#include "supervise/request_in_group.hpp"

namespace mpsbench::supervise {

// Only rank 0 compares its first step, writes it, and reports losses.
schema::LaunchRequest request_in_group(schema::LaunchRequest request, std::int64_t rank,
                                       const schema::DeviceId& device) {
  request.group.value().rank = rank;
  request.spec.device = device;
  if (rank == 0) return request;
  request.check_output = request.check_engine = request.report_losses = false;
  request.dump_first_step.reset();
  return request;
}

}  // namespace mpsbench::supervise
