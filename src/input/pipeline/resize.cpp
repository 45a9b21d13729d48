#include "input/pipeline/resize.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace mpsbench::pipeline {
namespace {

// Each weight is rounded separately, so the error of their sum is at most half a unit per weight. Up to this
// many weights, that error cannot push a sum of 8-bit pixels beyond 255, and the sum fits into 32 bits.
constexpr std::int64_t kLargestSize = 16'384;

constexpr std::int32_t kHalf = 1 << (ResizeAxis::kWeightBits - 1);
constexpr int kNarrowBits = 8;

// Rounds to nearest; halves are rounded up.
std::int64_t to_nearest(double x) {
  return static_cast<std::int64_t>(std::floor(x + 0.5));
}

double triangle(double x) {
  return std::max(0.0, 1.0 - std::abs(x));
}

// The share of each input in one output position, before rounding to fixed point.
struct Filter {
  std::int64_t first = 0;
  std::vector<double> shares;  // their sum is 1, and the last one is above 0
};

Filter filter_at(std::int64_t position, std::int64_t input_size, double scale) {
  const double widening = std::max(scale, 1.0);
  const double center = (static_cast<double>(position) + 0.5) * scale;
  Filter filter{std::max<std::int64_t>(0, to_nearest(center - widening)), {}};
  const std::int64_t end = std::min(input_size, to_nearest(center + widening));
  double total = 0;
  for (std::int64_t input = filter.first; input < end; ++input) {
    filter.shares.push_back(triangle((static_cast<double>(input) - center + 0.5) * (1.0 / widening)));
    total += filter.shares.back();
  }
  // Leaves only one weight if the sizes are equal.
  while (filter.shares.back() == 0) filter.shares.pop_back();
  for (double& share : filter.shares) share /= total;
  return filter;
}

// COUNT is the number of weights if the compiler should know it, otherwise 0.
template <std::size_t COUNT>
void resize_row(const ResizeAxis& columns, const std::uint8_t* row, const CropWindow& window, std::uint8_t* out) {
  const std::size_t count = COUNT == 0 ? columns.weights_each : COUNT;
  const std::int64_t* first = columns.firsts.data() + window.left;
  const std::int32_t* weights = columns.weights.data() + static_cast<std::size_t>(window.left) * count;
  for (std::int64_t x = 0; x < window.width; ++x, weights += count) {
    const std::uint8_t* pixels = row + first[x];
    std::int32_t sum = kHalf;
    for (std::size_t i = 0; i < count; ++i) sum += pixels[i] * weights[i];
    out[x] = static_cast<std::uint8_t>(sum >> ResizeAxis::kWeightBits);
  }
}

// Makes one output row from input rows that are WIDTH apart in memory. The sums have BITS binary places. The
// loops are plain, so that compilers can turn them into vector instructions.
template <int BITS, typename SUM>
void mix_rows(const std::uint8_t* rows, std::span<const std::int32_t> weights, std::vector<SUM>& sums,
              std::span<std::uint8_t> out) {
  const std::size_t width = out.size();
  sums.assign(width, static_cast<SUM>(1 << (BITS - 1)));
  SUM* const sum = sums.data();
  for (const std::int32_t wide_weight : weights) {
    const auto weight = static_cast<SUM>(wide_weight >> (ResizeAxis::kWeightBits - BITS));
    for (std::size_t x = 0; x < width; ++x) sum[x] = static_cast<SUM>(sum[x] + rows[x] * weight);
    rows += width;
  }
  for (std::size_t x = 0; x < width; ++x) out[x] = static_cast<std::uint8_t>(sum[x] >> BITS);
}

// True if the weights are whole multiples of 1/256, as between sizes of simple ratios. Then 16 bits hold the
// sums exactly, and a vector instruction processes several times as many pixels.
bool narrow(std::span<const std::int32_t> weights) {
  constexpr std::int32_t kUnit = 1 << (ResizeAxis::kWeightBits - kNarrowBits);
  return std::all_of(weights.begin(), weights.end(), [](std::int32_t weight) { return weight % kUnit == 0; });
}

}  // namespace

ResizeAxis::ResizeAxis(std::int64_t inputs, std::int64_t outputs) : input_size(inputs) {
  for (const std::int64_t size : {inputs, outputs}) {
    if (size < 1 || size > kLargestSize) {
      throw base::usage_error("images can be resized only between sizes of 1 to " + std::to_string(kLargestSize) +
                              ", not " + std::to_string(size));
    }
  }
  const double scale = static_cast<double>(inputs) / static_cast<double>(outputs);
  std::vector<Filter> filters;
  for (std::int64_t position = 0; position < outputs; ++position) {
    filters.push_back(filter_at(position, inputs, scale));
    weights_each = std::max(weights_each, filters.back().shares.size());
  }
  for (Filter& filter : filters) {
    const std::int64_t first = std::min(filter.first, inputs - static_cast<std::int64_t>(weights_each));
    std::vector<double>& shares = filter.shares;
    shares.insert(shares.begin(), static_cast<std::size_t>(filter.first - first), 0.0);
    shares.resize(weights_each);
    firsts.push_back(first);
    for (const double share : shares) {
      weights.push_back(static_cast<std::int32_t>(to_nearest(share * (1 << kWeightBits))));
    }
  }
}

Resize::Resize(std::int64_t input_height, std::int64_t input_width, std::int64_t output_height,
               std::int64_t output_width)
    : rows_(input_height, output_height), columns_(input_width, output_width) {}

void Resize::apply(std::span<const std::uint8_t> plane, const CropWindow& window, ResizeScratch& scratch,
                   std::span<std::uint8_t> out) const {
  const auto width = static_cast<std::size_t>(window.width);
  const std::size_t count = rows_.weights_each;
  const std::int64_t* first = rows_.firsts.data() + window.top;
  const std::int64_t input_rows = first[window.height - 1] + static_cast<std::int64_t>(count) - first[0];
  scratch.rows.resize(static_cast<std::size_t>(input_rows) * width);
  const auto along_row = columns_.weights_each == 2 ? resize_row<2> : resize_row<0>;
  for (std::int64_t row = 0; row < input_rows; ++row) {
    along_row(columns_, plane.data() + (first[0] + row) * columns_.input_size, window,
              scratch.rows.data() + row * window.width);
  }
  for (std::int64_t row = 0; row < window.height; ++row) {
    const std::uint8_t* rows = scratch.rows.data() + (first[row] - first[0]) * window.width;
    const std::span weights(rows_.weights.data() + static_cast<std::size_t>(window.top + row) * count, count);
    const std::span out_row = out.subspan(static_cast<std::size_t>(row) * width, width);
    if (narrow(weights)) {
      mix_rows<kNarrowBits>(rows, weights, scratch.narrow_sums, out_row);
    } else {
      mix_rows<ResizeAxis::kWeightBits>(rows, weights, scratch.sums, out_row);
    }
  }
}

}  // namespace mpsbench::pipeline
