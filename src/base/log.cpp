#include "base/log.hpp"

#include "base/error.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace mpsbench::base::log {
namespace {

std::shared_ptr<spdlog::sinks::stderr_color_sink_st> make_console(Verbosity level, bool colour) {
  auto console = std::make_shared<spdlog::sinks::stderr_color_sink_st>(colour ? spdlog::color_mode::always
                                                                              : spdlog::color_mode::never);
  console->set_pattern("%^%v%$");
  switch (level) {
    case Verbosity::quiet:
      console->set_level(spdlog::level::warn);
      break;
    case Verbosity::normal:
      console->set_level(spdlog::level::info);
      break;
    case Verbosity::verbose:
      console->set_level(spdlog::level::debug);
      break;
  }
  return console;
}

spdlog::logger& logger() {
  static spdlog::logger instance("mpsbench", make_console(Verbosity::normal, false));
  return instance;
}

}  // namespace

void set_up(Verbosity level, bool colour, const std::filesystem::path& file) {
  auto& sinks = logger().sinks();
  sinks = {make_console(level, colour)};
  if (!file.empty()) {
    try {
      auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(file.string());
      sink->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
      sinks.push_back(std::move(sink));
    } catch (const spdlog::spdlog_ex& error) {
      throw usage_error("--log-file: cannot write " + file.string() + ": " + error.what());
    }
  }
  logger().set_level(spdlog::level::debug);
  logger().flush_on(spdlog::level::debug);
}

void warn(const std::string& message) {
  logger().warn("{}", "warning: " + message);
}
void info(const std::string& message) {
  logger().info("{}", message);
}
void detail(const std::string& message) {
  logger().debug("{}", message);
}

}  // namespace mpsbench::base::log
