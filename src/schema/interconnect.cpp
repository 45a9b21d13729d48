#include "schema/interconnect.hpp"

#include "schema/optional_json.hpp"

#include <set>
#include <sstream>
#include <utility>

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

std::string with_rate(const std::string& name, const std::optional<double>& bits_per_second) {
  if (!bits_per_second) return name;
  std::ostringstream text;
  text << name << ", " << *bits_per_second / 1e9 << " Gb/s";
  return text.str();
}

ordered_json pair_to_json(const GpuPair& pair) {
  return {{"first", pair.first},
          {"second", pair.second},
          {"path", to_string(pair.path)},
          {"nvlinks", pair.nvlinks},
          {"peer_access", or_null(pair.peer_access)}};
}

GpuPair read_pair(base::Reader reader) {
  GpuPair pair;
  pair.first = read_count(reader.at("first"));
  pair.second = read_count(reader.at("second"));
  pair.path = read_name<GpuPath>(reader.at("path"));
  pair.nvlinks = read_count(reader.at("nvlinks"));
  const base::Reader access = reader.at("peer_access");
  if (!access.is_null()) pair.peer_access = access.boolean();
  reader.done();
  return pair;
}

InfinibandPort read_port(base::Reader reader) {
  InfinibandPort port;
  port.device = reader.at("device").string();
  port.port = read_count(reader.at("port"));
  port.bits_per_second = number_or_null(reader.at("bits_per_second"));
  reader.done();
  return port;
}

}  // namespace

std::string path_text(const GpuPair& pair) {
  std::string text(row_of(pair.path).words);
  if (pair.nvlinks > 0)
    text += ", " + std::to_string(pair.nvlinks) + (pair.nvlinks == 1 ? " link" : " links");
  return text;
}

std::string paths_text(const Interconnect& interconnect) {
  std::set<std::string> paths;
  for (const GpuPair& pair : interconnect.pairs) paths.insert(path_text(pair));
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : "; ") + path;
  return text;
}

std::string network_text(const Network& network) {
  std::string text = with_rate(network.interface, network.bits_per_second);
  for (const InfinibandPort& port : network.infiniband)
    text += "; " + with_rate("InfiniBand " + port.device, port.bits_per_second);
  return text;
}

ordered_json to_json(const Interconnect& interconnect) {
  ordered_json nodes = ordered_json::array();
  for (const auto& node : interconnect.numa_nodes) nodes.push_back(or_null(node));
  ordered_json pairs = ordered_json::array();
  for (const GpuPair& pair : interconnect.pairs) pairs.push_back(pair_to_json(pair));
  return {{"numa_nodes", std::move(nodes)}, {"pairs", std::move(pairs)}};
}

ordered_json to_json(const Network& network) {
  ordered_json ports = ordered_json::array();
  for (const InfinibandPort& port : network.infiniband)
    ports.push_back(
        {{"device", port.device}, {"port", port.port}, {"bits_per_second", or_null(port.bits_per_second)}});
  return {{"interface", network.interface},
          {"bits_per_second", or_null(network.bits_per_second)},
          {"infiniband", std::move(ports)}};
}

Interconnect read_interconnect(base::Reader reader) {
  Interconnect interconnect;
  for (const base::Reader& item : reader.at("numa_nodes").items())
    interconnect.numa_nodes.push_back(count_or_null(item));
  for (const base::Reader& item : reader.at("pairs").items()) interconnect.pairs.push_back(read_pair(item));
  reader.done();
  return interconnect;
}

Network read_network(base::Reader reader) {
  Network network;
  network.interface = reader.at("interface").string();
  network.bits_per_second = number_or_null(reader.at("bits_per_second"));
  for (const base::Reader& item : reader.at("infiniband").items())
    network.infiniband.push_back(read_port(item));
  reader.done();
  return network;
}

}  // namespace mpsbench::schema
