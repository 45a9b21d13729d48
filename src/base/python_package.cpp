#include "base/python_package.hpp"

#include "base/error.hpp"
#include "base/system_file.hpp"
#include "base/version.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace mpsbench::base {
namespace {

namespace fs = std::filesystem;

// Returns LIB/python3.12/site-packages for each Python that an environment has, first of the newest one.
std::vector<fs::path> package_folders(const fs::path& lib) {
  std::vector<std::string> pythons;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(lib, error)) {
    std::string name = entry.path().filename().string();
    if (name.starts_with("python")) pythons.push_back(std::move(name));
  }
  std::ranges::sort(pythons, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a > b;  // 3.12 is newer than 3.9
  });
  std::vector<fs::path> folders;
  for (const std::string& python : pythons) {
    for (const char* name : {"site-packages", "dist-packages"}) folders.push_back(lib / python / name);
  }
  return folders;
}

// Returns the text in quotes that NAME has in torch/version.py, which has lines such as
// "__version__ = '2.13.0+cu130'" and "cuda: Optional[str] = '13.0'". Returns an empty text if there is none.
std::string quoted_value(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("\n" + name);
  if (at == std::string::npos) return "";
  const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  const std::size_t first = line.find('\'');
  const std::size_t last = line.rfind('\'');
  return first < last ? line.substr(first + 1, last - first - 1) : "";
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Asks the environment's Python where it would import torch from. Its answer covers what files beside the
// package do not show: packages of the system's Python, of the user, and of a .pth file. Does not import
// torch.
fs::path torch_of_python(const fs::path& package) {
  const fs::path lib = package.parent_path().parent_path();  // "lib/python3.12"
  const fs::path bin = lib.parent_path().parent_path() / "bin";
  const std::string command = "cd / && PATH=" + shell_quoted(bin.string()) + ":\"$PATH\" " +
                              shell_quoted(lib.filename().string()) +
                              " -c 'import importlib.util as u; spec = u.find_spec(\"torch\")\n"
                              "print(spec.origin if spec else \"\")' 2>/dev/null";
  // NOLINTNEXTLINE(bugprone-command-processor): each part is quoted for the shell
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> answer(::popen(command.c_str(), "r"), ::pclose);
  if (!answer) return {};
  std::array<char, 4096> line{};
  std::string last;  // because the environment's own start-up code may print, too
  while (std::fgets(line.data(), static_cast<int>(line.size()), answer.get()) != nullptr) last = line.data();
  return fs::path(last.substr(0, last.find('\n'))).parent_path();  // of torch/__init__.py
}

}  // namespace

std::optional<PythonPackage> python_package(const fs::path& program) {
  const fs::path environment = program.parent_path().parent_path();
  std::optional<PythonPackage> first;
  for (const char* lib : {"lib", "lib64"}) {
    for (const fs::path& folder : package_folders(environment / lib)) {
      const fs::path package = folder / "mpsbench";
      std::string torch = read_first_line(package / "torch_version");
      if (torch.empty()) continue;
      PythonPackage found{package, std::move(torch), read_first_line(package / "version")};
      if (found.version == kVersion) return found;
      if (!first) first = std::move(found);
    }
  }
  return first;
}

PackagePrograms package_programs(const PythonPackage& package) {
  const fs::path beside = package.folder.parent_path() / "torch";
  std::error_code error;
  PackagePrograms found;
  found.torch = fs::exists(beside / "version.py", error) ? beside : torch_of_python(package.folder);
  const std::string& needed = package.torch_needed;
  const std::string cure = "; install it: pip install 'torch==" + needed + ".*'";
  const std::string text = found.torch.empty() ? "" : read_system_file(found.torch / "version.py");
  found.torch_version = quoted_value(text, "__version__");
  if (found.torch_version.empty())
    throw usage_error("this mpsbench needs PyTorch " + needed + ", which is not in the environment of " +
                      package.folder.string() + cure);
  if (!found.torch_version.starts_with(needed + "."))
    throw usage_error("this mpsbench was built for PyTorch " + needed + ", but " + found.torch.string() + " is " +
                      found.torch_version + cure + ", or install the mpsbench that was built for your version");
  const std::string cuda = quoted_value(text, "cuda");
  found.torch_build = cuda.empty() ? "cpu" : "cuda" + cuda.substr(0, cuda.find('.'));
  for (const std::string& build : {found.torch_build, std::string("cpu")}) {
    found.folder = package.folder / "bin" / build;
    if (fs::is_directory(found.folder, error)) return found;
  }
  throw usage_error("this mpsbench was built for another build of PyTorch than " + found.torch.string() +
                    ", which is " + found.torch_version +
                    "; install the build it was built for, or build mpsbench again: docs/python.md");
}

std::vector<std::string> library_variables(const PackagePrograms& programs) {
  const fs::path packages = programs.torch.parent_path();
  if (programs.folder.parent_path().parent_path().parent_path() == packages) return {};
#ifdef __APPLE__
  const char* variable = "DYLD_LIBRARY_PATH";
#else
  const char* variable = "LD_LIBRARY_PATH";
#endif
  std::string paths = (programs.torch / "lib").string();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(packages / "nvidia", error))
    paths += ":" + (entry.path() / "lib").string();
  if (const char* old = std::getenv(variable); old != nullptr && *old != '\0') paths += std::string(":") + old;
  return {std::string(variable) + "=" + paths};
}

}  // namespace mpsbench::base
