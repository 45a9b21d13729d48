#include "program.hpp"

int main(int argc, char** argv) {
  return mpsbench::ops::run(argc, argv);
}
