#include "run/support.hpp"

namespace mpsbench::tests {

std::filesystem::path fake_worker() {
  return MPSBENCH_FAKE_WORKER;
}

}  // namespace mpsbench::tests
