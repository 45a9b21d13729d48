// For schema_test.py. Reads the files of its arguments as mpsbench reads reports, and prints for each "ok" or why it is
// refused.
#include "base/error.hpp"
#include "base/json_file.hpp"
#include "schema/report.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  using namespace mpsbench;
  for (int i = 1; i < argc; ++i) {
    try {
      const nlohmann::json document = base::read_large_json_file(argv[i]);
      (void)schema::from_json<schema::Report>(base::Reader(document, "report"));
      std::puts("ok");
    } catch (const base::Error& error) {
      std::puts(error.what());
    }
  }
  return 0;
}
