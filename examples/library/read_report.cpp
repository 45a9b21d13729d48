// Prints the step times in a report.
#include <mpsbench/report.hpp>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  try {
    const mpsbench::Report report = mpsbench::load_report(argc > 1 ? argv[1] : "my-network.json");
    std::printf("%s\n", report.host.cpu.model.c_str());
    for (const mpsbench::CaseResult& one : report.cases) {
      std::printf("%s:", one.id.c_str());
      if (one.metrics.step_seconds.median) std::printf(" %.3g s", *one.metrics.step_seconds.median);
      for (const std::string& flag : one.flags) std::printf(" %s", flag.c_str());
      std::printf("\n");
    }
  } catch (const mpsbench::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
