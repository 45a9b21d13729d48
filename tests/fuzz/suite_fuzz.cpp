// Fuzzes suites of one small network, and makes their cases.
#include "base/json_file.hpp"
#include "fuzz/harness.hpp"
#include "suite/catalog.hpp"
#include "suite/plan_cases.hpp"

#include <nlohmann/json.hpp>

namespace {

using namespace mpsbench;

const std::vector<schema::DeviceStatus>& devices() {
  static const std::vector<schema::DeviceStatus> kDevices{{.device = "cpu", .built_in = true, .usable = true},
                                                          {.device = "cuda", .built_in = true, .usable = true}};
  return kDevices;
}

// Makes a folder with one model, because suites may also name files.
const suite::Catalog& catalog() {
  static const suite::Catalog kCatalog = [] {
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    std::filesystem::create_directories(folder / "models");
    std::filesystem::copy_file(std::filesystem::path(MPSBENCH_SOURCE_DIR) / "models" / "mlp.json",
                               folder / "models" / "mlp.json", std::filesystem::copy_options::overwrite_existing);
    return suite::Catalog(folder);
  }();
  return kCatalog;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::try_to([&] {
    const suite::Suite suite = suite::read_suite(base::parse_json(fuzz::text_of(data, size), "a.json"), "a.json");
    (void)suite::plan_cases(suite.matrices, catalog(), {2, 1LL << 34, devices});
  });
  return 0;
}
