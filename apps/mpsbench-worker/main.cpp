#include "worker/main.hpp"

#include "base/descriptor.hpp"

int main() {
  mpsbench::base::start_process();
  return mpsbench::worker::run();
}
