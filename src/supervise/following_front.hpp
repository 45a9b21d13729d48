// A front of another rank than 0: it runs the launches that rank 0 orders.
#pragma once

#include "supervise/front_link.hpp"

#include <cstdint>
#include <filesystem>

namespace mpsbench::supervise {

// Follows the orders of rank 0 until the last one, and returns rank 0's exit code. LINK has met. Throws
// Error(incomplete) if rank 0 is lost, and Error(interrupted) if it gives no order after a signal.
[[nodiscard]] std::int64_t follow_orders(FrontLink& link, const std::filesystem::path& worker, std::int64_t rank,
                                         const OwnDevice& own_device, Interrupt& interrupt);

}  // namespace mpsbench::supervise
