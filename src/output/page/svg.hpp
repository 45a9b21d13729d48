// A drawing inside a page, as SVG text. The page's style sheet says how its classes look.
#pragma once

#include <string>
#include <vector>

namespace mpsbench::output {

struct Point {
  double x = 0;
  double y = 0;
};

// Which point of a text is at its place.
enum class Anchor { start, middle, end };

class Svg {
 public:
  // LABEL describes the drawing for people who cannot see it. All texts may contain any characters.
  Svg(double width, double height, const std::string& label);

  void path(const std::string& data, const std::string& css_class);
  void rect(Point corner, double width, double height, const std::string& css_class);
  void text(Point place, Anchor anchor, const std::string& words, const std::string& css_class);
  // Everything drawn from here until close() shows TITLE when the mouse points at it.
  void open(const std::string& title);
  void close();

  [[nodiscard]] std::string finished() const;

 private:
  std::string body_;
};

// Returns VALUE rounded to a tenth of a unit: "12.3", "-.5".
[[nodiscard]] std::string coordinate(double value);
// Returns path data through POINTS, or an empty text if there are none.
[[nodiscard]] std::string polyline(const std::vector<Point>& points);
// Returns the path data of one straight line, which can be appended to other path data.
[[nodiscard]] std::string segment(Point from, Point to);

}  // namespace mpsbench::output
