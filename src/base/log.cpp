#include "base/log.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/place.hpp"
#include "base/system_files.hpp"

#include <fcntl.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <regex>
#include <string_view>
#include <system_error>

namespace mpsbench::base::log {
namespace {

std::shared_ptr<spdlog::sinks::stderr_color_sink_st> make_console(Verbosity level, bool colour) {
  auto console = std::make_shared<spdlog::sinks::stderr_color_sink_st>(colour ? spdlog::color_mode::always
                                                                              : spdlog::color_mode::never);
  console->set_pattern("%^%v%$");
  console->set_level(level == Verbosity::quiet    ? spdlog::level::warn
                     : level == Verbosity::normal ? spdlog::level::info
                                                  : spdlog::level::debug);
  return console;
}

constexpr const char* kOption = "--log-file";
constexpr std::string_view kWarning = "warning: ";

// Whether FILE is empty, does not exist or begins like a log of ours.
bool takes_more(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error) || std::filesystem::file_size(file, error) == 0) return true;
  static const std::regex kBeginning(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3} [a-z]+ .*)");
  return std::regex_match(read_first_line(file), kBeginning);
}

Descriptor open_log(const std::filesystem::path& file) {
  require_writable_place(file, kOption);
  const Place place = place_of(file);
  const bool is_file = place.kind == Place::Kind::file;
  if (is_file && !takes_more(place.path))
    throw usage_error(std::string(kOption) + ": " + file.string() +
                      " is not a log of mpsbench, so nothing is added to it; choose another place");
  constexpr mode_t kMode = 0666;  // less the umask
  Descriptor log = is_file ? Descriptor(::open(place.path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode))
                           : open_stream(file);
  if (log.get() < 0)
    throw usage_error("cannot write " + file.string() + ": " + std::generic_category().message(errno) +
                      "; choose another place with " + kOption);
  return log;
}

// The file of --log-file. A full disk ends the log, but not the run.
class FileSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit FileSink(const std::filesystem::path& file) : name_(file.string()), log_(open_log(file)) {
    set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (log_.get() < 0) return;
    spdlog::details::log_msg plain = message;
    if (const std::string_view text(plain.payload.data(), plain.payload.size()); text.starts_with(kWarning))
      plain.payload = text.substr(kWarning.size());  // the line has the level
    spdlog::memory_buf_t line;
    formatter_->format(plain, line);
    if (write_all(log_.get(), {line.data(), line.size()})) return;
    const std::string why = std::generic_category().message(errno);
    log_.close();
    std::fprintf(stderr, "warning: cannot write %s: %s; the log ends here\n", name_.c_str(), why.c_str());
  }
  void flush_() override {}

  std::string name_;
  Descriptor log_;
};

spdlog::logger& logger() {
  static spdlog::logger instance("mpsbench", make_console(Verbosity::normal, false));
  return instance;
}

}  // namespace

void set_up(Verbosity level, bool colour, const std::filesystem::path& file) {
  auto& sinks = logger().sinks();
  sinks = {make_console(level, colour)};
  if (!file.empty()) sinks.push_back(std::make_shared<FileSink>(file));
  logger().set_level(spdlog::level::debug);
  logger().flush_on(spdlog::level::debug);
}

void warn(const std::string& message) {
  logger().warn("{}{}", kWarning, message);
}
void info(const std::string& message) {
  logger().info("{}", message);
}
void detail(const std::string& message) {
  logger().debug("{}", message);
}

}  // namespace mpsbench::base::log
