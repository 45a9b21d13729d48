#include "output/page/svg_axes.hpp"

#include "output/page/svg_labels.hpp"

namespace mpsbench::output {

std::vector<Tick> ticks_of(const Scale& scale, const std::vector<double>& values,
                           std::string (*label)(double)) {
  std::vector<Tick> ticks;
  for (const double value : values) ticks.push_back({place(scale, value), label(value)});
  return ticks;
}

std::vector<Tick> spaced(const std::vector<Tick>& ticks) {
  constexpr double kBlank = 6;
  std::vector<Tick> kept;
  double free_from = -kBlank;
  for (const Tick& tick : ticks) {
    const double half = text_width(tick.label) / 2;
    if (tick.at - half < free_from) continue;
    kept.push_back(tick);
    free_from = tick.at + half + kBlank;
  }
  return kept;
}

void draw_y_axis(Svg& svg, const Box& box, const std::vector<Tick>& ticks, const std::string& title) {
  std::string lines;
  for (const Tick& tick : ticks) {
    lines += segment({box.left, tick.at}, {box.right, tick.at});
    svg.text({box.left - 4, tick.at + 4}, Anchor::end, tick.label, "");
  }
  svg.path(lines, "grid");
  if (!title.empty()) svg.text({2, box.top - 8}, Anchor::start, title, "axis");
}

void draw_x_axis(Svg& svg, const Box& box, const std::vector<Tick>& ticks, const std::string& title) {
  std::string lines;
  for (const Tick& tick : ticks) {
    lines += segment({tick.at, box.top}, {tick.at, box.bottom});
    svg.text({tick.at, box.bottom + 14}, Anchor::middle, tick.label, "");
  }
  svg.path(lines, "grid");
  if (!title.empty()) svg.text({(box.left + box.right) / 2, box.bottom + 28}, Anchor::middle, title, "axis");
}

}  // namespace mpsbench::output
