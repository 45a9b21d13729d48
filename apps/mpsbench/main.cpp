#include "cli/main.hpp"

int main(int argc, char** argv) {
  return mpsbench::cli::run(argc, argv);
}
