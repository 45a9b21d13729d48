// Times a network and writes a report.
#include <mpsbench/timing.hpp>

#include <cstdio>
#include <exception>
#include <numeric>
#include <vector>

// A layer with 256 inputs and 256 outputs stands for your own network.
std::vector<float> forward(const std::vector<float>& weights, const std::vector<float>& row) {
  std::vector<float> output(256);
  for (std::size_t i = 0; i < output.size(); ++i)
    output[i] = std::inner_product(row.begin(), row.end(), weights.begin() + 256 * i, 0.0F);
  return output;
}

int main(int argc, char** argv) {
  const std::vector<float> weights(256 * 256, 0.5F);
  const std::vector<float> row(256, 1);
  std::vector<float> output;
  try {
    const mpsbench::Report report = mpsbench::time_loop({.name = "my-network", .batch_size = 1, .threads = 1},
                                                        [&] { output = forward(weights, row); });

    const mpsbench::Metrics& metrics = report.cases.front().metrics;
    std::printf("%.3g s per step, %.0f rows/s\n", *metrics.step_seconds.median, *metrics.rows_per_second.value);
    mpsbench::save_report(report, argc > 1 ? argv[1] : "my-network.json");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
