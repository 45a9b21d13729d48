// The file of a compiled network.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace mpsbench::schema {

struct PackageFile {
  std::string path;
  std::string sha256;
  std::string folder;  // that only this user can read, for what the worker unpacks
  double compile_seconds = 0;
};

[[nodiscard]] nlohmann::ordered_json to_json(const PackageFile& package);
[[nodiscard]] PackageFile read_package_file(base::Reader reader);

}  // namespace mpsbench::schema
