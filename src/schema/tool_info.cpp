#include "schema/tool_info.hpp"

#include "schema/build_info.hpp"

namespace mpsbench::schema {

ToolInfo tool_info() {
  ToolInfo tool;
  tool.version = kVersion;
  if (*kGitCommit != '\0') tool.git_commit = kGitCommit;
  tool.build_type = kBuildType;
  tool.compiler = kCompiler;
  return tool;
}

std::string version_text() {
  const ToolInfo tool = tool_info();
  std::string text = tool.name + " " + tool.version + " (" + tool.build_type + ", " + tool.compiler;
  if (tool.git_commit) text += ", " + *tool.git_commit;
  return text + ")";
}

}  // namespace mpsbench::schema
