#include "schema/published.hpp"

#include <algorithm>

namespace mpsbench::schema {

bool Published::is_other_work() const {
  return std::ranges::any_of(cautions, [](const std::string& name) {
    const Caution* caution = find_caution(name);
    return caution != nullptr && caution->other_work;
  });
}

const Caution* find_caution(std::string_view name) {
  const auto* const found = std::ranges::find(kCautions, name, &Caution::name);
  return found == std::end(kCautions) ? nullptr : &*found;
}

std::string caution_table() {
  std::string table = "| caution | meaning |\n| --- | --- |\n";
  for (const Caution& caution : kCautions)
    table += std::string("| `") + caution.name + "` | " + caution.meaning +
             (caution.other_work ? " It is never compared and never the best." : "") + " |\n";
  return table;
}

}  // namespace mpsbench::schema
