// Lines that say something of many cases or reports at once.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::report {

using Lines = std::vector<std::string>;

// Collects the cases that share a remark. The remark appears once, with the first case and the number of
// others.
class Grouped {
 public:
  void add(const std::string& remark, const std::string& id);
  void append_to(Lines& lines) const;

 private:
  struct Group {
    std::size_t count = 0;
    std::string first;
  };
  std::map<std::string, Group> groups_;
};

// Collects what reports say about one topic.
class Topic {
 public:
  explicit Topic(std::string what) : what_(std::move(what)) {}
  // Leaves out what is not known.
  void add(const std::optional<std::string>& value, const std::string& file);
  // Adds a line such as "LibTorch 2.13.0 in a.json and 2 more, 2.14.0 in d.json" if the reports differ.
  void append_to(Lines& lines) const;

 private:
  struct Said {
    std::string value;
    std::string file;  // the first that says so
    std::size_t others = 0;
  };
  std::string what_;
  std::vector<Said> said_;
};

}  // namespace mpsbench::report
