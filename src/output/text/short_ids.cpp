#include "output/text/short_ids.hpp"

#include <algorithm>
#include <cstddef>

namespace mpsbench::output {
namespace {

constexpr std::size_t kAlwaysShown = 3;  // model, mode and the next part (device or batch size)

// The parts of an id between slashes. The options ("+key=value") are separate, because they may contain
// slashes.
struct Parts {
  std::vector<std::string> names;
  std::string options;
};

Parts split(const std::string& id) {
  Parts parts;
  const std::size_t end = std::min(id.find('+'), id.size());
  parts.options = id.substr(end);
  std::size_t begin = 0;
  while (begin <= end) {
    const std::size_t slash = std::min(id.find('/', begin), end);
    parts.names.push_back(id.substr(begin, slash - begin));
    begin = slash + 1;
  }
  return parts;
}

// Whether NAME is a batch size, which is worth showing even if it is the same in all ids.
bool is_batch(const std::string& name) {
  return name.size() > 1 && name[0] == 'b' && name.find_first_not_of("0123456789", 1) == std::string::npos;
}

}  // namespace

std::vector<std::string> short_ids(const std::vector<std::string>& ids) {
  std::vector<Parts> all;
  for (const std::string& id : ids) all.push_back(split(id));
  const auto hidden = [&](std::size_t at) {
    return at >= kAlwaysShown && std::all_of(all.begin(), all.end(), [&](const Parts& parts) {
             return at < parts.names.size() && parts.names[at] == all.front().names[at] &&
                    !is_batch(parts.names[at]);
           });
  };
  std::vector<bool> hide;
  for (std::size_t at = 0; !all.empty() && at < all.front().names.size(); ++at) hide.push_back(hidden(at));
  std::vector<std::string> texts;
  for (const Parts& parts : all) {
    std::string text;
    for (std::size_t at = 0; at < parts.names.size(); ++at) {
      if (at < hide.size() && hide[at]) continue;
      text += (text.empty() ? "" : "/") + parts.names[at];
    }
    texts.push_back(text + parts.options);
  }
  return texts;
}

}  // namespace mpsbench::output
