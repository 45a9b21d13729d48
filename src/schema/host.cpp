#include "schema/host.hpp"

#include "schema/optional_json.hpp"

namespace mpsbench::schema {

using nlohmann::ordered_json;

std::string commit_text(const ToolInfo& tool) {
  if (!tool.git_commit) return "";
  return *tool.git_commit + (tool.has_uncommitted_changes.value_or(false) ? " with uncommitted changes" : "");
}

ordered_json to_json(const ToolInfo& tool) {
  return {{"name", tool.name},
          {"version", tool.version},
          {"git_commit", or_null(tool.git_commit)},
          {"has_uncommitted_changes", or_null(tool.has_uncommitted_changes)},
          {"build_type", tool.build_type},
          {"compiler", tool.compiler}};
}

ToolInfo read_tool_info(base::Reader reader) {
  ToolInfo tool;
  tool.name = reader.at("name").string();
  tool.version = reader.at("version").string();
  tool.git_commit = string_or_null(reader.at("git_commit"));
  if (const auto changes = reader.find("has_uncommitted_changes"))
    tool.has_uncommitted_changes = changes->boolean();
  tool.build_type = reader.at("build_type").string();
  tool.compiler = reader.at("compiler").string();
  reader.done();
  return tool;
}

ordered_json to_json(const LibtorchInfo& info) {
  return {{"version", info.version},
          {"cuda", or_null(info.cuda)},
          {"cudnn", or_null(info.cudnn)},
          {"blas", or_null(info.blas)},
          {"architecture", info.architecture},
          {"size_bytes", or_null(info.size_bytes)},
          {"intra_op_threads", info.intra_op_threads},
          {"inter_op_threads", info.inter_op_threads},
          {"openmp_runtimes", info.openmp_runtimes},
          {"worker_build_type", info.worker_build_type}};
}

LibtorchInfo read_libtorch_info(base::Reader reader) {
  LibtorchInfo info;
  info.version = reader.at("version").string();
  info.cuda = string_or_null(reader.at("cuda"));
  info.cudnn = string_or_null(reader.at("cudnn"));
  info.blas = string_or_null(reader.at("blas"));
  info.architecture = reader.at("architecture").string();
  info.size_bytes = count_or_null(reader.at("size_bytes"));
  info.intra_op_threads = read_count(reader.at("intra_op_threads"));
  info.inter_op_threads = read_count(reader.at("inter_op_threads"));
  info.openmp_runtimes = reader.at("openmp_runtimes").strings();
  info.worker_build_type = reader.at("worker_build_type").string();
  reader.done();
  return info;
}

namespace {

ordered_json accelerators_to_json(const std::vector<Accelerator>& accelerators) {
  ordered_json values = ordered_json::array();
  for (const Accelerator& accelerator : accelerators) {
    values.push_back({{"device", to_string(accelerator.device)},
                      {"name", accelerator.name},
                      {"memory_bytes", or_null(accelerator.memory_bytes)}});
  }
  return values;
}

ordered_json ceilings_to_json(const std::vector<Ceiling>& ceilings) {
  ordered_json values = ordered_json::array();
  for (const Ceiling& ceiling : ceilings) values.push_back(to_json(ceiling));
  return values;
}

Accelerator read_accelerator(base::Reader reader) {
  Accelerator accelerator;
  accelerator.device = read_device_id(reader.at("device"));
  accelerator.name = reader.at("name").string();
  accelerator.memory_bytes = count_or_null(reader.at("memory_bytes"));
  reader.done();
  return accelerator;
}

void read_os(base::Reader reader, HostInfo& host) {
  host.os.name = reader.at("name").string();
  host.os.version = reader.at("version").string();
  host.os.kernel = reader.at("kernel").string();
  host.os.arch = reader.at("arch").string();
  reader.done();
}

void read_cpu(base::Reader reader, HostInfo& host) {
  host.cpu.model = reader.at("model").string();
  host.cpu.physical_cores = count_or_null(reader.at("physical_cores"));
  host.cpu.performance_cores = count_or_null(reader.at("performance_cores"));
  host.cpu.efficiency_cores = count_or_null(reader.at("efficiency_cores"));
  host.cpu.logical_cores = read_count(reader.at("logical_cores"));
  host.cpu.features = reader.at("features").strings();
  host.cpu.governor = string_or_null(reader.at("governor"));
  reader.done();
}

void read_power(base::Reader reader, HostInfo& host) {
  host.power.source = string_or_null(reader.at("source"));
  host.power.mode = string_or_null(reader.at("mode"));
  reader.done();
}

void read_environment(base::Reader reader, HostInfo& host) {
  for (const std::string& name : reader.keys()) host.environment[name] = reader.at(name).string();
}

}  // namespace

ordered_json to_json(const HostInfo& host) {
  return {{"name", host.name},
          {"os",
           {{"name", host.os.name},
            {"version", host.os.version},
            {"kernel", host.os.kernel},
            {"arch", host.os.arch}}},
          {"cpu",
           {{"model", host.cpu.model},
            {"physical_cores", or_null(host.cpu.physical_cores)},
            {"performance_cores", or_null(host.cpu.performance_cores)},
            {"efficiency_cores", or_null(host.cpu.efficiency_cores)},
            {"logical_cores", host.cpu.logical_cores},
            {"features", host.cpu.features},
            {"governor", or_null(host.cpu.governor)}}},
          {"memory_bytes", host.memory_bytes},
          {"swap_used_bytes", or_null(host.swap_used_bytes)},
          {"disk_free_bytes", or_null(host.disk_free_bytes)},
          {"disk_total_bytes", or_null(host.disk_total_bytes)},
          {"load_average", or_null(host.load_average)},
          {"gpu_cores", or_null(host.gpu_cores)},
          {"accelerators", accelerators_to_json(host.accelerators)},
          {"interconnect", host.interconnect ? to_json(*host.interconnect) : ordered_json(nullptr)},
          {"network", host.network ? to_json(*host.network) : ordered_json(nullptr)},
          {"ceilings", ceilings_to_json(host.ceilings)},
          {"libtorch", host.libtorch ? to_json(*host.libtorch) : ordered_json(nullptr)},
          {"power", {{"source", or_null(host.power.source)}, {"mode", or_null(host.power.mode)}}},
          {"environment", ordered_json(host.environment)}};
}

HostInfo read_host_info(base::Reader reader) {
  HostInfo host;
  host.name = reader.at("name").string();
  read_os(reader.at("os"), host);
  read_cpu(reader.at("cpu"), host);
  host.memory_bytes = read_count(reader.at("memory_bytes"));
  host.swap_used_bytes = count_or_null(reader.at("swap_used_bytes"));
  host.disk_free_bytes = count_or_null(reader.at("disk_free_bytes"));
  if (const auto total = reader.find("disk_total_bytes")) host.disk_total_bytes = read_count(*total);
  if (const auto cores = reader.find("gpu_cores")) host.gpu_cores = read_count(*cores);
  host.load_average = number_or_null(reader.at("load_average"));
  for (const base::Reader& item : reader.at("accelerators").items()) {
    host.accelerators.push_back(read_accelerator(item));
  }
  if (const auto interconnect = reader.find("interconnect"))
    host.interconnect = read_interconnect(*interconnect);
  if (const auto network = reader.find("network")) host.network = read_network(*network);
  if (const auto ceilings = reader.find("ceilings")) {  // older reports have none
    for (const base::Reader& item : ceilings->items()) host.ceilings.push_back(read_ceiling(item));
  }
  if (const auto libtorch = reader.find("libtorch")) host.libtorch = read_libtorch_info(*libtorch);
  read_power(reader.at("power"), host);
  read_environment(reader.at("environment"), host);
  reader.done();
  return host;
}

}  // namespace mpsbench::schema
