#include "base/descriptor.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  mpsbench::base::start_process();
  return mpsbench::ops::run(argc, argv);
}
