// A drawing inside a page, as SVG text. How its classes look is the page's style.
#pragma once

#include <string>
#include <vector>

namespace mpsbench::output {

struct Point {
  double x = 0;
  double y = 0;
};

// What of a text is at its place.
enum class Anchor { start, middle, end };

class Svg {
 public:
  // LABEL says to those who do not see it what the drawing shows. It and all other texts may hold anything.
  Svg(double width, double height, const std::string& label);

  void path(const std::string& data, const std::string& css_class);
  void rect(Point corner, double width, double height, const std::string& css_class);
  void text(Point place, Anchor anchor, const std::string& words, const std::string& css_class);
  // What is drawn until close() shows TITLE when it is pointed at.
  void open(const std::string& title);
  void close();

  [[nodiscard]] std::string finished() const;

 private:
  std::string body_;
};

// "12.3", "-.5": to a tenth of a unit.
[[nodiscard]] std::string coordinate(double value);
// Data of a path through POINTS; empty for none.
[[nodiscard]] std::string polyline(const std::vector<Point>& points);
// Data of one straight line, to be put behind others.
[[nodiscard]] std::string segment(Point from, Point to);

}  // namespace mpsbench::output
