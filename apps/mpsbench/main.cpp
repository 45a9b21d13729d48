#include "cli/main.hpp"

#include "base/descriptor.hpp"

int main(int argc, char** argv) {
  mpsbench::base::start_process();
  return mpsbench::cli::run(argc, argv);
}
