#include "worker/main.hpp"

int main() {
  return mpsbench::worker::run();
}
