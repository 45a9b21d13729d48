#include "output/page/page_scaling.hpp"

#include "base/units.hpp"
#include "output/page/page_curves.hpp"
#include "report/metrics/scaling.hpp"

#include <vector>

namespace mpsbench::output {
namespace {

// The name of the line that begins with the case ONE and has MANY.
std::string line_name(const schema::CaseResult& one, const schema::CaseResult& many) {
  std::string name = series_of(one) + " b" + std::to_string(one.spec.batch_size);
  if (many.spec.scaling == schema::Scaling::strong) name += " strong";
  if (many.spec.bucket_bytes) name += " buckets " + base::byte_size_text(*many.spec.bucket_bytes);
  return name;
}

std::vector<Curves> scaling_panels(const PageReports& page, SeriesNames& names) {
  std::vector<Curves> panels;
  for (std::size_t at = 0; at < page.all->size(); ++at) {
    const std::vector<schema::CaseResult>& cases = (*page.all)[at].cases;
    for (const schema::CaseResult& many : cases) {
      const schema::CaseResult* one = many.spec.ranks > 1 ? report::one_process_case(many, cases) : nullptr;
      if (one == nullptr) continue;
      const auto figure = rate_of(many);
      const auto first = rate_of(*one);
      if (!figure || !first) continue;
      const bool is_gpu = many.spec.device.kind == schema::DeviceKind::cuda;
      Curves& panel = panel_named(panels, {.title = many.spec.model + ", " + to_string(many.spec.mode) +
                                                    (is_gpu ? " on several GPUs" : " in several processes"),
                                           .figure = "rows per second",
                                           .unit = "1/s",
                                           .axis = is_gpu ? "GPUs" : "processes",
                                           .axis_word = is_gpu ? "GPUs" : "processes",
                                           .has_ideal = true});
      const std::string lead = page.several() ? page.letters[at] + " " : "";
      Line& line = panel.lines[names.number(lead + line_name(*one, many))];
      line[1] = *first;
      line[many.spec.ranks] = *figure;
    }
  }
  return panels;
}

}  // namespace

std::string scaling_section(const PageReports& page) {
  SeriesNames names;
  std::string charts;
  for (const Curves& panel : scaling_panels(page, names)) charts += chart_of(panel, names);
  if (charts.empty()) return "";
  return "<section id=\"scaling\"><h2>Scaling</h2>\n<p class=\"note\">Both axes are logarithmic. Dashed: "
         "N times the rows per second of one process. Whiskers show 95 % intervals, up to a factor of 3 from "
         "the figure.</p>\n<div class=\"charts\">\n" +
         charts + "</div></section>\n";
}

}  // namespace mpsbench::output
