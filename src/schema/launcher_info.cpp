#include "schema/launcher_info.hpp"

#include "base/counted.hpp"

#include <cstddef>

namespace mpsbench::schema {

std::string words_of(const LauncherInfo& launcher) {
  return launcher.name + " with " + base::counted(launcher.ranks, "process", "processes") + " on " +
         base::counted(launcher.hosts, "machine", "machines");
}

nlohmann::ordered_json to_json(const LauncherInfo& launcher) {
  return {{"name", launcher.name}, {"ranks", launcher.ranks}, {"hosts", launcher.hosts}};
}

LauncherInfo read_launcher_info(base::Reader reader) {
  LauncherInfo launcher;
  launcher.name = reader.at("name").string();
  launcher.ranks = reader.at("ranks").integer(1);
  launcher.hosts = reader.at("hosts").integer(1);
  reader.done();
  return launcher;
}

}  // namespace mpsbench::schema
