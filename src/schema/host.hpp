// What a report says about the machine and the tool. Reports are made to be shared, so this never contains a
// user name, serial number or home folder.
#pragma once

#include "base/json_reader.hpp"
#include "schema/ceiling.hpp"
#include "schema/device_id.hpp"
#include "schema/interconnect.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

struct ToolInfo {
  std::string name = "mpsbench";
  std::string version;
  std::optional<std::string> git_commit;
  std::string build_type;
  std::string compiler;
  // Whether the sources differed from the commit; nullopt: the commit is unknown, or an older version wrote
  // the report.
  std::optional<bool> has_uncommitted_changes{};
};

// Returns a text such as "a1b2c3d" or "a1b2c3d with uncommitted changes", or "" if the commit is unknown.
[[nodiscard]] std::string commit_text(const ToolInfo& tool);

// Reported by the worker; absent until the first worker has sent its hello event.
struct LibtorchInfo {
  std::string version;  // "2.13.0+cpu", or a development build such as "1.13.0.dev20220522+cu102"
  std::optional<std::string> cuda;
  std::optional<std::string> cudnn;
  std::optional<std::string> blas;
  std::string architecture;                // the one that the library is built for: "x86_64", "arm64"
  std::optional<std::int64_t> size_bytes;  // size of the libraries on disk
  std::int64_t intra_op_threads = 0;
  std::int64_t inter_op_threads = 0;
  std::vector<std::string> openmp_runtimes;  // file names of the loaded ones; more than one distorts timings
  std::string worker_build_type;
};

struct Accelerator {
  DeviceId device;
  std::string name;
  std::optional<std::int64_t> memory_bytes;
};

struct HostInfo {
  std::string name;  // the CPU's model with a short random id, unless --host-name is given
  struct {
    std::string name, version, kernel, arch;
  } os;
  struct {
    std::string model;
    std::optional<std::int64_t> physical_cores, performance_cores, efficiency_cores;
    std::int64_t logical_cores = 0;
    std::vector<std::string> features;
    std::optional<std::string> governor;
  } cpu;
  std::int64_t memory_bytes = 0;
  std::optional<std::int64_t> swap_used_bytes;
  std::optional<std::int64_t> disk_free_bytes, disk_total_bytes;  // where the reports are
  std::optional<double> load_average;                             // of the last minute before the run began
  std::optional<std::int64_t> gpu_cores;                          // of an Apple GPU
  std::vector<Accelerator> accelerators;
  std::optional<Interconnect> interconnect;  // only of several NVIDIA GPUs
  std::optional<Network> network;            // only if a launcher has started the run
  std::vector<Ceiling> ceilings;  // only for devices that the run uses and whose ceilings are known
  std::optional<LibtorchInfo> libtorch;
  struct {
    std::optional<std::string> source, mode;  // "ac", "battery"; "low-power", "normal"
  } power;
  std::map<std::string, std::string> environment;  // only variables on the allow list
};

[[nodiscard]] nlohmann::ordered_json to_json(const ToolInfo& tool);
[[nodiscard]] nlohmann::ordered_json to_json(const LibtorchInfo& info);
[[nodiscard]] nlohmann::ordered_json to_json(const HostInfo& host);
[[nodiscard]] ToolInfo read_tool_info(base::Reader reader);
[[nodiscard]] LibtorchInfo read_libtorch_info(base::Reader reader);
[[nodiscard]] HostInfo read_host_info(base::Reader reader);

}  // namespace mpsbench::schema
