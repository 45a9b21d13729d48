#include "schema/tool_info.hpp"

#include "base/version.hpp"
#include "schema/build_info.hpp"
#include "schema/commit.hpp"

namespace mpsbench::schema {

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
