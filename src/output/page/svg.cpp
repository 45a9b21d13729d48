#include "output/page/svg.hpp"

#include "output/text/quoting.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <map>

namespace mpsbench::output {
namespace {

long tenths(double value) {
  return std::lround(value * 10);
}

std::string of_tenths(long value) {
  const long size = std::labs(value);
  std::string text = value < 0 ? "-" : "";
  if (size >= 10 || size == 0) text += std::to_string(size / 10);
  if (size % 10 != 0) text += "." + std::to_string(size % 10);
  return text;
}

// A minus sign separates two numbers as well as a blank does.
std::string parted(const std::string& one, const std::string& other) {
  return one + (other.front() == '-' ? "" : " ") + other;
}

}  // namespace

Svg::Svg(double width, double height, const std::string& label)
    : body_(fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", coordinate(width),
                        coordinate(height), xml_text(label))) {}

void Svg::path(const std::string& data, const std::string& css_class) {
  if (!data.empty()) body_ += "<path class=\"" + css_class + "\" d=\"" + data + "\"/>";
}

void Svg::rect(Point corner, double width, double height, const std::string& css_class) {
  body_ += fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>)", css_class,
                       coordinate(corner.x), coordinate(corner.y), coordinate(width), coordinate(height));
}

void Svg::text(Point place, Anchor anchor, const std::string& words, const std::string& css_class) {
  static const std::map<Anchor, std::string> kClasses{
      {Anchor::start, ""}, {Anchor::middle, "m"}, {Anchor::end, "e"}};
  const std::string& anchored = kClasses.at(anchor);
  const std::string classes = anchored + (anchored.empty() || css_class.empty() ? "" : " ") + css_class;
  body_ += "<text" + (classes.empty() ? "" : " class=\"" + classes + "\"") + " x=\"" + coordinate(place.x) +
           "\" y=\"" + coordinate(place.y) + "\">" + xml_text(words) + "</text>";
}

void Svg::open(const std::string& title) {
  body_ += "<g><title>" + xml_text(title) + "</title>";
}

void Svg::close() {
  body_ += "</g>";
}

std::string Svg::finished() const {
  return body_ + "</svg>";
}

std::string coordinate(double value) {
  return of_tenths(tenths(value));
}

std::string polyline(const std::vector<Point>& points) {
  std::string data;
  long x = 0;
  long y = 0;
  for (const Point& point : points) {
    const long right = tenths(point.x) - x;
    const long down = tenths(point.y) - y;
    x += right;
    y += down;
    if (data.empty()) {
      data = "M" + parted(of_tenths(right), of_tenths(down));
    } else if (down == 0) {
      data += "h" + of_tenths(right);
    } else if (right == 0) {
      data += "v" + of_tenths(down);
    } else {
      data += "l" + parted(of_tenths(right), of_tenths(down));
    }
  }
  return data;
}

std::string segment(Point from, Point to) {
  return polyline({from, to});
}

}  // namespace mpsbench::output
