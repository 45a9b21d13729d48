#include "worker/main.hpp"

#include "base/process_start.hpp"

int main() {
  mpsbench::base::start_process();
  return mpsbench::worker::run();
}
