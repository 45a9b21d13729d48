#include "input/dataset/trec.hpp"

#include "base/utf8.hpp"
#include "input/dataset/data_file.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace mpsbench::dataset {
namespace {

using schema::DataPart;
using schema::Dataset;
using schema::TrecLabels;

// In the order of version 2.0.0.
struct CoarseClass {
  std::string_view name;
  std::int64_t number_in_1_1_0;
  std::string_view fine;  // names separated by blanks
};
constexpr std::array<CoarseClass, row_of(Dataset::trec).classes> kCoarse{{
    {"ABBR", 2, "abb exp"},
    {"ENTY", 1,
     "animal body color cremat currency dismed event food instru lang letter other plant product religion "
     "sport substance symbol techmeth termeq veh word"},
    {"DESC", 0, "def desc manner reason"},
    {"HUM", 3, "gr ind title desc"},
    {"LOC", 5, "city country mount other state"},
    {"NUM", 4, "code count date dist money ord other period perc speed temp volsize weight"},
}};

constexpr std::string_view kBlanks = " \t\r\v\f";

// Returns the number of the coarse class, or nullopt if no such label exists.
std::optional<std::int64_t> coarse_of(std::string_view coarse, std::string_view fine, TrecLabels labels) {
  const auto found = std::ranges::find(kCoarse, coarse, &CoarseClass::name);
  if (found == kCoarse.end() ||
      (" " + std::string(found->fine) + " ").find(" " + std::string(fine) + " ") == std::string::npos)
    return std::nullopt;
  return labels == TrecLabels::v1_1_0 ? found->number_in_1_1_0 : found - kCoarse.begin();
}

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Returns nullopt unless LINE is "COARSE:fine text" with existing labels.
std::optional<Question> parse(std::string_view line, TrecLabels labels) {
  line = stripped(line);
  const std::size_t blank = line.find(' ');
  const std::size_t colon = line.substr(0, blank).find(':');
  if (blank == std::string_view::npos || colon == std::string_view::npos) return std::nullopt;
  const auto coarse = coarse_of(line.substr(0, colon), line.substr(colon + 1, blank - colon - 1), labels);
  if (!coarse) return std::nullopt;
  return Question{*coarse, std::string(stripped(line.substr(blank)))};
}

// Returns TEXT with the byte 0xF0 as a blank where it begins no character. The published file has one.
std::string without_odd_bytes(std::string_view text) {
  std::string clean(text);
  for (std::size_t at = 0; at < clean.size();) {
    const base::CodePoint next = base::first_code_point(std::string_view(clean).substr(at));
    if (!next.valid && clean[at] == '\xf0') clean[at] = ' ';
    at += next.bytes;
  }
  return clean;
}

}  // namespace

std::filesystem::path find_trec(const std::filesystem::path& folder, DataPart part) {
  require_folder(folder, Dataset::trec);
  const std::string name = part == DataPart::test ? "TREC_10.label" : "train_5500.label";
  const std::optional<std::filesystem::path> file = find_file(folder, {name});
  if (file) return *file;
  refuse_packed(folder, {name});
  throw missing(folder, "no " + name + " here", Dataset::trec);
}

std::vector<Question> open_trec(const std::filesystem::path& folder, DataPart part, TrecLabels labels) {
  const std::filesystem::path file = find_trec(folder, part);
  const SharedBytes bytes = open_verified(file);
  const std::string text = without_odd_bytes({reinterpret_cast<const char*>(bytes.view.data()), bytes.view.size()});
  std::string_view left = text;
  if (left.starts_with(base::kByteOrderMark)) left.remove_prefix(base::kByteOrderMark.size());
  const char line_end = base::line_end_of(left);

  std::vector<Question> questions;
  for (int number = 1; !left.empty(); ++number) {
    const std::string_view line = left.substr(0, left.find(line_end));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    const std::string place = "line " + std::to_string(number);
    if (!base::is_utf8(line)) throw damaged(file, place + " is not UTF-8");
    const std::optional<Question> question = parse(line, labels);
    if (!question) {
      throw damaged(file,
                    place + " is not 'COARSE:fine question' with TREC's labels: '" + base::excerpt(line, 40) + "'");
    }
    questions.push_back(*question);
  }
  return questions;
}

}  // namespace mpsbench::dataset
