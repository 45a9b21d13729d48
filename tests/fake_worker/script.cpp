#include "fake_worker/script.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <variant>

namespace mpsbench::fake_worker {
namespace {

using nlohmann::json;

json read_session() {
  const char* session = std::getenv("MPSBENCH_FAKE_SESSION");
  if (session == nullptr || *session == '\0') return json::array({"normal"});
  if (*session == '[' || *session == '{') return json::parse(session);
  std::ifstream file(session);
  return json::parse(file);
}

schema::Request read_request() {
  std::string line;
  std::getline(std::cin, line);
  return schema::parse_request(line);
}

std::string case_name(const schema::Request& request) {
  if (std::holds_alternative<schema::RendezvousRequest>(request)) return "rendezvous";
  const auto* launch = std::get_if<schema::LaunchRequest>(&request);
  if (launch == nullptr) return "probe";
  const schema::CaseSpec& spec = launch->spec;
  return spec.model + '/' + to_string(spec.mode) + '/' + to_string(spec.device) + "/b" +
         std::to_string(spec.batch_size) + '/' + to_string(spec.precision) + '/' + to_string(spec.engine) + '/' +
         to_string(spec.dataset);
}

// Adds this start to the file, and returns how often NAME is in it.
int count_start(const std::string& path, const std::string& name) {
  const std::string line = name + '\n';
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  const bool written = ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  ::close(fd);
  if (!written) throw std::runtime_error("cannot write " + path);
  std::ifstream file(path);
  int count = 0;
  for (std::string text; std::getline(file, text);) count += text == name ? 1 : 0;
  return count;
}

}  // namespace

Script read_script() {
  const json session = read_session();
  Script script;
  if (!session.is_object() || session.value("read_request", true)) script.request = read_request();
  const bool is_probe = script.request && std::holds_alternative<schema::ProbeRequest>(*script.request);
  script.actions = json::array({is_probe ? "probe" : "normal"});
  if (session.is_array()) {
    if (!is_probe) script.actions = session;
    return script;
  }
  const std::string name = script.request ? case_name(*script.request) : "";
  const auto* launch = script.request ? std::get_if<schema::LaunchRequest>(&*script.request) : nullptr;
  const bool counted = session.contains("counter") && launch != nullptr;
  const int start = counted ? count_start(session.at("counter"), name) : 0;
  const std::int64_t threads = launch != nullptr ? launch->spec.threads : 0;
  for (const json& rule : session.at("rules")) {
    const std::string part = rule.value("case", "");
    const bool fits = is_probe ? part == name : name.find(part) != std::string::npos;
    if (!fits || rule.value("launch", start) != start || rule.value("threads", threads) != threads) continue;
    script.actions = rule.at("actions");
    break;
  }
  return script;
}

}  // namespace mpsbench::fake_worker
