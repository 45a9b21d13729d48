#include "schema/host.hpp"

#include "base/version.hpp"
#include "schema/build_info.hpp"
#include "schema/commit.hpp"

#include <set>
#include <sstream>

namespace mpsbench::schema {

namespace {

std::string with_rate(const std::string& name, const std::optional<double>& bits_per_second) {
  if (!bits_per_second) return name;
  std::ostringstream text;
  text << name << ", " << *bits_per_second / 1e9 << " Gb/s";
  return text.str();
}

}  // namespace

std::string path_text(const GpuPair& pair) {
  std::string text(row_of(pair.path).help);
  if (pair.nvlinks > 0) text += ", " + std::to_string(pair.nvlinks) + (pair.nvlinks == 1 ? " link" : " links");
  return text;
}

std::string paths_text(const Interconnect& interconnect) {
  std::set<std::string> paths;
  for (const GpuPair& pair : interconnect.pairs) paths.insert(path_text(pair));
  return base::join(paths, "; ");
}

std::string network_text(const Network& network) {
  std::string text = with_rate(network.interface, network.bits_per_second);
  for (const InfinibandPort& port : network.infiniband)
    text += "; " + with_rate("InfiniBand " + port.device, port.bits_per_second);
  return text;
}

std::string commit_text(const ToolInfo& tool) {
  if (!tool.git_commit) return "";
  return *tool.git_commit + (tool.has_uncommitted_changes.value_or(false) ? " with uncommitted changes" : "");
}

ToolInfo tool_info() {
  ToolInfo tool;
  tool.version = base::kVersion;
  if (*kGitCommit != '\0') {
    tool.git_commit = kGitCommit;
    tool.has_uncommitted_changes = kHasUncommittedChanges;
  }
  tool.build_type = kBuildType;
  tool.compiler = kCompiler;
  return tool;
}

std::string version_text() {
  const ToolInfo tool = tool_info();
  std::string text = tool.name + " " + tool.version + " (" + tool.build_type + ", " + tool.compiler;
  if (tool.git_commit) text += ", " + commit_text(tool);
  return text + ")";
}

}  // namespace mpsbench::schema
