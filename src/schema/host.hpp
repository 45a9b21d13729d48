// The machine and the tool, as a report shows them. Made to be shared: no user name, serial number or home
// folder.
#pragma once

#include "base/json_reader.hpp"
#include "schema/ceiling.hpp"
#include "schema/device_id.hpp"

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
};

// Said by the worker; absent until the first worker has spoken.
struct LibtorchInfo {
  std::string version;  // "2.13.0+cpu"; development builds too: "1.13.0.dev20220522+cu102"
  std::optional<std::string> cuda;
  std::optional<std::string> cudnn;
  std::optional<std::string> blas;
  std::string architecture;                // of the library: "x86_64", "arm64"
  std::optional<std::int64_t> size_bytes;  // on disk
  std::int64_t intra_op_threads = 0;
  std::int64_t inter_op_threads = 0;
  std::vector<std::string> openmp_runtimes;  // file names of those loaded; more than one spoils a measurement
  std::string worker_build_type;
};

struct Accelerator {
  DeviceId device;
  std::string name;
  std::optional<std::int64_t> memory_bytes;
};

struct HostInfo {
  std::string name;  // the machine's model with a short random id unless --host-name says otherwise
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
  std::optional<std::int64_t> disk_free_bytes;
  std::optional<double> load_average;  // over one minute, when the run began
  std::vector<Accelerator> accelerators;
  std::vector<Ceiling> ceilings;  // of the devices used, as far as they are known
  std::optional<LibtorchInfo> libtorch;
  struct {
    std::optional<std::string> source, mode;  // "ac", "battery"; "low-power", "normal"
  } power;
  std::map<std::string, std::string> environment;  // allow-listed variables
};

[[nodiscard]] nlohmann::ordered_json to_json(const ToolInfo& tool);
[[nodiscard]] nlohmann::ordered_json to_json(const LibtorchInfo& info);
[[nodiscard]] nlohmann::ordered_json to_json(const HostInfo& host);
[[nodiscard]] ToolInfo read_tool_info(base::Reader reader);
[[nodiscard]] LibtorchInfo read_libtorch_info(base::Reader reader);
[[nodiscard]] HostInfo read_host_info(base::Reader reader);

}  // namespace mpsbench::schema
