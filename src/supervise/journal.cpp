#include "supervise/journal.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/log.hpp"
#include "schema/launch_part.hpp"
#include "supervise/run_order.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace mpsbench::supervise {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kJournalVersion = 1;
constexpr std::uintmax_t kMaxBytes = 4ULL << 30U;
constexpr std::string_view kBeginning = "{\"journal_version\":";
constexpr std::string_view kProcess = ",\"process\":";  // follows the version
constexpr std::size_t kLongestNumbers = 40;

std::string first_line(const schema::RunRecord& record) {
  return base::to_text(ordered_json{{"journal_version", kJournalVersion},
                                    {"process", ::getpid()},
                                    {"tool", to_json(record.tool)},
                                    {"run", to_json(record.run)},
                                    {"host", to_json(record.host)}});
}

// KEY: "launch", or "part" of one that has not ended.
std::string line_of(const std::string& case_id, const char* key, const schema::Launch& launch) {
  return base::to_text(ordered_json{{"case", case_id}, {key, to_json(launch)}});
}

std::string whole_text(const schema::RunRecord& record) {
  std::string text = first_line(record) + '\n';
  for (const auto& [key, all] : {std::pair{"launch", &record.launches}, {"part", &record.unfinished}}) {
    for (const auto& [id, launches] : *all) {
      for (const schema::Launch& launch : launches) text += line_of(id, key, launch) + '\n';
    }
  }
  return text;
}

schema::RunRecord read_first_line(base::Reader reader) {
  base::Reader version = reader.at("journal_version");
  if (!version.value().is_number_integer() || version.value() != kJournalVersion) {
    throw version.error("this program reads journal version " + std::to_string(kJournalVersion) + ", but found " +
                        base::to_text(version.value()));
  }
  (void)reader.at("process").integer(1);
  schema::RunRecord record;
  record.tool = schema::from_json<schema::ToolInfo>(reader.at("tool"));
  record.run = schema::from_json<schema::RunInfo>(reader.at("run"));
  record.host = schema::from_json<schema::HostInfo>(reader.at("host"));
  reader.done();
  return record;
}

void take_part(schema::Launch part, std::vector<schema::Launch>& unfinished) {
  const auto launch = std::ranges::find(unfinished, part.order, &schema::Launch::order);
  if (launch == unfinished.end()) {
    unfinished.push_back(std::move(part));
  } else {
    schema::add_part(*launch, std::move(part));
  }
}

// Keeps one unfinished launch of each number: the last one that counts, or else the last one.
void choose_unfinished(const schema::PlannedCase& planned, std::vector<schema::Launch>& unfinished) {
  std::map<std::int64_t, schema::Launch> chosen;
  for (schema::Launch& one : unfinished) {
    schema::note_few_samples(one, planned.measure.min_samples);
    const auto [place, is_new] = chosen.try_emplace(one.index, one);
    if (!is_new && (schema::counts(one) || !schema::counts(place->second))) place->second = one;
  }
  unfinished.clear();
  for (auto& [index, launch] : chosen) unfinished.push_back(std::move(launch));
}

void read_later_line(base::Reader reader, schema::RunRecord& record) {
  if (reader.has("libtorch")) {
    record.host.libtorch = schema::from_json<schema::LibtorchInfo>(reader.at("libtorch"));
    return reader.done();
  }
  const base::Reader name = reader.at("case");
  const std::string id = name.string();
  const auto planned = std::ranges::find(record.run.planned, id, &schema::PlannedCase::id);
  if (planned == record.run.planned.end()) throw name.error("the plan in the first line has no such case");
  if (reader.has("part")) {
    take_part(schema::from_json<schema::Launch>(reader.at("part")), record.unfinished[id]);
  } else {
    add_launch(record, id, schema::from_json<schema::Launch>(reader.at("launch")));
  }
  reader.done();
}

// Returns the lines of TEXT. Leaves out a last line without line break, unless it is complete JSON.
std::vector<std::string_view> whole_lines(std::string_view text, const std::string& name) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos && !nlohmann::json::accept(text)) {
      if (!lines.empty())
        base::log::warn(name + ": the last line is incomplete, so it is ignored; its launch will run again");
      break;
    }
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

std::string beginning_of(const std::filesystem::path& path, std::size_t count) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text(count, '\0');
  file.read(text.data(), static_cast<std::streamsize>(count));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

Journal::Journal(std::filesystem::path path, base::DurableLog log) : path_(std::move(path)), log_(std::move(log)) {}

Journal Journal::create(const std::filesystem::path& path, const schema::RunRecord& record,
                        const std::filesystem::path& report) {
  require_none(path);
  try {
    return {path, base::DurableLog::create(path, whole_text(record), report)};
  } catch (const base::Error&) {
    require_none(path);  // another run may just have made it
    throw;
  }
}

Journal Journal::replace(const std::filesystem::path& path, const schema::RunRecord& record) {
  require_free(path);
  Journal journal(path, base::DurableLog::open(path));
  journal.rewrite(record);
  return journal;
}

void Journal::require_free(const std::filesystem::path& path) {
  if (!base::DurableLog::is_open_elsewhere(path)) return;
  const std::string beginning = beginning_of(path, kBeginning.size() + kProcess.size() + kLongestNumbers);
  const std::size_t found = beginning.find(kProcess);
  std::string process;
  if (found != std::string::npos) {
    const std::size_t digits = found + kProcess.size();
    process = " (process " + beginning.substr(digits, beginning.find(',', digits) - digits) + ")";
  }
  throw base::usage_error(path.string() + ": another mpsbench is writing this file" + process +
                          "; wait until it ends, or choose another place");
}

void Journal::require_none(const std::filesystem::path& path) {
  require_free(path);
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error)))
    throw base::usage_error(path.string() +
                            ": this is the journal of an unfinished run; continue it with --resume, or delete it");
}

schema::RunRecord Journal::load(const std::filesystem::path& path) {
  const std::string text = base::read_text_file(path, kMaxBytes);
  if (text.substr(0, kBeginning.size()) != kBeginning) {
    throw base::usage_error(path.string() + ": this is not a journal of mpsbench");
  }
  const std::vector<std::string_view> lines = whole_lines(text, path.string());
  if (lines.empty()) {
    throw base::usage_error(path.string() +
                            ": the journal's first line is incomplete, so no launch had started; start a new run");
  }
  schema::RunRecord record;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string name = path.string() + ", line " + std::to_string(i + 1);
    const nlohmann::json document = base::parse_json(lines[i], name);
    if (i == 0) {
      record = read_first_line(base::Reader(document, name));
    } else {
      read_later_line(base::Reader(document, name), record);
    }
  }
  for (const schema::PlannedCase& planned : record.run.planned)
    choose_unfinished(planned, record.unfinished[planned.id]);
  return record;
}

bool Journal::is_journal(const std::filesystem::path& path) {
  return beginning_of(path, kBeginning.size()) == kBeginning;
}

void Journal::append(const std::string& case_id, const schema::Launch& launch) {
  log_.append_line(line_of(case_id, "launch", launch));
}

void Journal::append(const schema::LibtorchInfo& libtorch) {
  log_.append_line(base::to_text(ordered_json{{"libtorch", to_json(libtorch)}}));
}

void Journal::append_part(const std::string& case_id, const schema::Launch& part) {
  log_.add_line(line_of(case_id, "part", part));
}

void Journal::rewrite(const schema::RunRecord& record) {
  std::error_code error;  // ignored: the write reports the problem
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), error);
  log_.replace(whole_text(record));
}

void Journal::remove() {
  log_.remove();
}

}  // namespace mpsbench::supervise
