#include "output/page/svg_dots.hpp"

#include "output/page/page_series.hpp"
#include "output/page/svg_axes.hpp"
#include "output/page/svg_labels.hpp"
#include "output/text/text.hpp"

#include <algorithm>
#include <limits>

namespace mpsbench::output {
namespace {

constexpr double kLinearRange = 20;  // the axis is logarithmic if its values differ by more than this factor
constexpr double kEdge = 8;
constexpr double kRoom =
    (kChartWidth - 2 * kEdge) / 1.06;  // for text; some fonts are wider than text_width()
constexpr double kNameHeight = 20;
constexpr double kLineHeight = 13;
constexpr double kDotHeight = 28;
constexpr double kGroupGap = 6;
constexpr double kAxisHeight = 36;

// Shortens WORDS so that WIDTH is enough for them.
std::string fitted(const std::string& words, double width) {
  const double share = std::max(width, 0.0) / text_width(words);
  const auto cells = static_cast<double>(display_width(printable(words)));
  return share < 1 ? truncate(words, static_cast<std::size_t>(cells * share)) : words;
}

// Joins PARTS to a few lines that fit the chart.
std::vector<std::string> lines_of(const std::vector<std::string>& parts) {
  constexpr std::size_t kMostLines = 3;
  std::vector<std::string> lines;
  for (const std::string& part : parts) {
    const bool joins = !lines.empty() && text_width(lines.back() + " · " + part) <= kRoom;
    if (joins || lines.size() == kMostLines) {
      lines.back() += " · " + part;
    } else {
      lines.push_back(part);
    }
  }
  return lines;
}

double height_of(const DotGroup& group) {
  return kNameHeight + kLineHeight * static_cast<double>(lines_of(group.common).size()) +
         kDotHeight * static_cast<double>(group.dots.size()) + kGroupGap;
}

void draw_reach(Svg& svg, const Scale& scale, const Dot& dot, double y) {
  constexpr double kLeastWidth = 8;  // the mark hides shorter ones
  const schema::Interval drawn = drawn_interval(dot.figure);
  const double low = place(scale, drawn.low);
  const double high = place(scale, drawn.high);
  if (!dot.figure.ci95 || high - low <= kLeastWidth) return;
  std::string data = segment({low, y}, {high, y});
  if (drawn.low <= dot.figure.ci95->low) data += segment({low, y - 3}, {low, y + 3});
  if (drawn.high >= dot.figure.ci95->high) data += segment({high, y - 3}, {high, y + 3});
  svg.path(data, "whisker " + series_class(dot.series));
}

void draw_dot(Svg& svg, const Scale& scale, const Dot& dot, double top) {
  constexpr double kMostWords = 120;
  constexpr double kBlank = 8;
  const std::string words = fitted(dot.words, kMostWords);
  const double room = kRoom - text_width(words) - kBlank;
  svg.open(dot.label + ": " + dot.words);
  svg.text({kEdge, top + 11}, Anchor::start, fitted(dot.label, room), "");
  svg.text({kChartWidth - kEdge, top + 11}, Anchor::end, words, "");
  const double y = top + 20;
  draw_reach(svg, scale, dot, y);
  svg.path(mark_at({place(scale, dot.figure.value), y}, dot.series),
           (dot.figure.ci95 ? "mark " : "hollow mark ") + series_class(dot.series));
  svg.close();
}

void draw_group(Svg& svg, const Scale& scale, const DotGroup& group, double top) {
  constexpr double kBold = 1.15;  // a bold letter's width
  svg.text({kEdge, top + 14}, Anchor::start, fitted(group.name, kRoom / kBold), "group");
  top += kNameHeight;
  for (const std::string& line : lines_of(group.common)) {
    svg.text({kEdge, top + 9}, Anchor::start, fitted(line, kRoom), "axis");
    top += kLineHeight;
  }
  for (const Dot& dot : group.dots) {
    draw_dot(svg, scale, dot, top);
    top += kDotHeight;
  }
}

}  // namespace

Scale dot_scale(const std::vector<DotGroup>& groups, const DotAxis& axis) {
  double low = axis.line.value_or(std::numeric_limits<double>::infinity());
  double high = axis.line.value_or(0);
  for (const DotGroup& group : groups) {
    for (const Dot& dot : group.dots) {
      const schema::Interval drawn = drawn_interval(dot.figure);
      low = std::min(low, drawn.low);
      high = std::max(high, drawn.high);
    }
  }
  constexpr double kFrom = kEdge + 6;
  constexpr double kTo = kChartWidth - kEdge - 6;
  if (high > kLinearRange * low) return log_scale(low, high, kFrom, kTo);
  return linear_scale(0, high, kFrom, kTo);
}

std::string dot_chart(const std::vector<DotGroup>& groups, const DotAxis& axis, const std::string& label) {
  const Scale scale = dot_scale(groups, axis);
  double bottom = 0;
  for (const DotGroup& group : groups) bottom += height_of(group);
  Svg svg(kChartWidth, bottom + kAxisHeight, label);
  const Box box{scale.from, 0, scale.to, bottom};
  draw_x_axis(svg, box, spaced(ticks_of(scale, round_ticks(scale, 5), axis.label)),
              axis.title + (scale.logarithmic ? " (logarithmic)" : ""));
  if (axis.line) svg.path(segment({place(scale, *axis.line), 0}, {place(scale, *axis.line), bottom}), "zero");
  double top = 0;
  for (const DotGroup& group : groups) {
    draw_group(svg, scale, group, top);
    top += height_of(group);
  }
  return svg.finished();
}

}  // namespace mpsbench::output
