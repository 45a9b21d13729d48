// A temporary folder with a system's files, as recorded on another machine.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace mpsbench::tests {

class RecordedTree {
 public:
  RecordedTree() : root_(std::filesystem::path(testing::TempDir()) / ("mpsbench-tree-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  ~RecordedTree() { std::filesystem::remove_all(root_); }
  RecordedTree(const RecordedTree&) = delete;
  RecordedTree& operator=(const RecordedTree&) = delete;

  void add(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  // What sysfs reports about one logical CPU.
  void add_cpu(int cpu, int package, int core, int capacity = 0) const {
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/";
    add(folder + "topology/physical_package_id", std::to_string(package) + "\n");
    add(folder + "topology/core_id", std::to_string(core) + "\n");
    if (capacity > 0) add(folder + "cpu_capacity", std::to_string(capacity) + "\n");
  }

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

}  // namespace mpsbench::tests
