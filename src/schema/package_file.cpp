#include "schema/package_file.hpp"

namespace mpsbench::schema {

nlohmann::ordered_json to_json(const PackageFile& package) {
  return {{"path", package.path},
          {"sha256", package.sha256},
          {"folder", package.folder},
          {"compile_seconds", package.compile_seconds}};
}

PackageFile read_package_file(base::Reader reader) {
  PackageFile package{.path = reader.at("path").string(),
                      .sha256 = reader.at("sha256").string(),
                      .folder = reader.at("folder").string(),
                      .compile_seconds = reader.at("compile_seconds").number()};
  reader.done();
  return package;
}

}  // namespace mpsbench::schema
