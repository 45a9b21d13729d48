#include "supervise/event_session.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace mpsbench::supervise {
namespace {

// The beginning of LINE as one printable line.
std::string preview(const std::string& line) {
  constexpr std::size_t kLength = 60;
  std::string text = line.substr(0, kLength);
  std::replace_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return '"' + text + (line.size() > kLength ? "..." : "") + '"';
}

}  // namespace

EventSession::EventSession(LaunchListener& listener, std::optional<std::string> libtorch_version)
    : listener_(listener),
      libtorch_version_(std::move(libtorch_version)),
      started_at_(base::steady_seconds()) {}

bool EventSession::on_line(const std::string& line) {
  try {
    take(schema::parse_event(line));
  } catch (const base::Error& error) {
    heard_.protocol_error = "the worker sent " + preview(line) + ": " + error.what();
  }
  return heard_.protocol_error.empty();
}

void EventSession::on_line_too_long() {
  heard_.protocol_error = "the worker sent an event longer than 64 MiB";
}

bool EventSession::is_content() const {
  const bool is_good = heard_.result && heard_.result->status == schema::Status::ok;
  return heard_.protocol_error.empty() && (is_good || heard_.probe);
}

void EventSession::take(schema::Event event) {
  const bool is_hello = std::holds_alternative<schema::HelloEvent>(event);
  if (is_hello == heard_.libtorch.has_value()) {
    heard_.protocol_error =
        is_hello ? "the worker said hello twice" : "the worker sent an event before its hello";
    return;
  }
  if (heard_.verdict()) {
    heard_.protocol_error = "the worker went on talking after its last event";
    return;
  }
  if (auto* hello = std::get_if<schema::HelloEvent>(&event)) {
    heard_.load_seconds = base::steady_seconds() - started_at_;
    heard_.libtorch = std::move(hello->libtorch);
    if (libtorch_version_ && *libtorch_version_ != heard_.libtorch->version) {
      heard_.protocol_error =
          "the worker has LibTorch " + heard_.libtorch->version + ", not " + *libtorch_version_;
      return;
    }
    listener_.on_hello(*heard_.libtorch);
  } else if (const auto* phase = std::get_if<schema::PhaseEvent>(&event)) {
    heard_.phase = phase->phase;
    listener_.on_phase(phase->phase);
  } else if (const auto* gpu = std::get_if<schema::GpuEvent>(&event)) {
    listener_.on_gpu(gpu->pci_bus_id);
  } else if (const auto* progress = std::get_if<schema::ProgressEvent>(&event)) {
    listener_.on_progress(*progress);
  } else if (const auto* loss = std::get_if<schema::LossEvent>(&event)) {
    listener_.on_loss(*loss);
  } else if (auto* result = std::get_if<schema::ResultEvent>(&event)) {
    listener_.on_result();
    heard_.result = std::move(result->launch);
  } else if (auto* failure = std::get_if<schema::FailureEvent>(&event)) {
    heard_.failure = std::move(*failure);
  } else if (auto* probe = std::get_if<schema::ProbeEvent>(&event)) {
    heard_.probe = std::move(*probe);
  }
}

}  // namespace mpsbench::supervise
