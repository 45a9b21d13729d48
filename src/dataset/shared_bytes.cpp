#include "dataset/shared_bytes.hpp"

#include "base/error.hpp"
#include "base/mapped_file.hpp"

#include <utility>

namespace mpsbench::dataset {

SharedBytes share(std::vector<std::uint8_t> bytes) {
  const auto owner = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
  return {owner, *owner};
}

SharedBytes map_file(const std::filesystem::path& path) {
  const auto file = std::make_shared<const base::MappedFile>(path);
  const std::string_view text = file->text();
  if (text.empty()) {
    throw base::usage_error(
        path.string() +
        ": is empty; download it again (scripts/fetch_data) or make it again (scripts/make_fixture.py)");
  }
  return {file, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}};
}

}  // namespace mpsbench::dataset
