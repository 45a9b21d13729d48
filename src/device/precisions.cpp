#include "device/precisions.hpp"

#include "base/error.hpp"
#include "device/kinds.hpp"

namespace mpsbench::device {

std::string why_no_precision(schema::DeviceKind kind, schema::Precision precision) {
  if (precision != schema::Precision::tf32 || kind_row(kind).capabilities.tf32) return "";
  return "only NVIDIA's GPUs compute in tf32; use --precision fp32 on " + to_string(kind);
}

void require_precision(schema::DeviceKind kind, schema::Precision precision) {
  if (const std::string reason = why_no_precision(kind, precision); !reason.empty())
    throw base::Error(base::ErrorKind::no_device, reason);
}

}  // namespace mpsbench::device
