#include "supervise/journal.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/log.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
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

std::string first_line(const schema::RunRecord& record) {
  return base::to_text(ordered_json{{"journal_version", kJournalVersion},
                                    {"tool", to_json(record.tool)},
                                    {"run", to_json(record.run)},
                                    {"host", to_json(record.host)}});
}

std::string launch_line(const std::string& case_id, const schema::Launch& launch) {
  return base::to_text(ordered_json{{"case", case_id}, {"launch", to_json(launch)}});
}

std::string whole_text(const schema::RunRecord& record) {
  std::string text = first_line(record) + '\n';
  for (const auto& [id, launches] : record.launches) {
    for (const schema::Launch& launch : launches) text += launch_line(id, launch) + '\n';
  }
  return text;
}

schema::RunRecord read_first_line(base::Reader reader) {
  if (!reader.has("journal_version")) throw reader.error("this is not a journal of mpsbench");
  base::Reader version = reader.at("journal_version");
  if (!version.value().is_number_integer() || version.value() != kJournalVersion) {
    throw version.error("this program reads journal version " + std::to_string(kJournalVersion) +
                        ", but found " + base::to_text(version.value()));
  }
  schema::RunRecord record;
  record.tool = schema::read_tool_info(reader.at("tool"));
  record.run = schema::read_run_info(reader.at("run"));
  record.host = schema::read_host_info(reader.at("host"));
  reader.done();
  return record;
}

void read_later_line(base::Reader reader, const std::set<std::string>& ids, schema::RunRecord& record) {
  if (reader.has("libtorch")) {
    record.host.libtorch = schema::read_libtorch_info(reader.at("libtorch"));
  } else {
    const base::Reader id = reader.at("case");
    if (ids.count(id.string()) == 0) throw id.error("the plan in the first line has no such case");
    record.launches[id.string()].push_back(schema::read_launch(reader.at("launch")));
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

Journal::Journal(std::filesystem::path path, std::unique_ptr<base::DurableLog> log)
    : path_(std::move(path)), log_(std::move(log)) {}

Journal Journal::create(const std::filesystem::path& path, const schema::RunRecord& record) {
  Journal journal(path, std::make_unique<base::DurableLog>(path, base::DurableLog::Open::create_new));
  std::string text = whole_text(record);
  text.pop_back();
  try {
    journal.log_->append_line(text);
  } catch (const base::Error& error) {
    journal.remove();
    throw base::usage_error(std::string(error.what()) + "; choose another place with --export-json");
  }
  return journal;
}

Journal Journal::replace(const std::filesystem::path& path, const schema::RunRecord& record) {
  // Open it first: this fails if the run that made it is still running.
  Journal journal(path, std::make_unique<base::DurableLog>(path, base::DurableLog::Open::append));
  journal.rewrite(record);
  return journal;
}

schema::RunRecord Journal::load(const std::filesystem::path& path) {
  const std::string text = base::read_text_file(path, kMaxBytes);
  if (text.substr(0, kBeginning.size()) != kBeginning) {
    throw base::usage_error(path.string() + ": this is not a journal of mpsbench");
  }
  const std::vector<std::string_view> lines = whole_lines(text, path.string());
  if (lines.empty()) {
    throw base::usage_error(
        path.string() +
        ": the journal's first line is incomplete, so no launch had started; start a new run");
  }
  schema::RunRecord record;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string name = path.string() + ", line " + std::to_string(i + 1);
    const nlohmann::json document = base::parse_json(lines[i], name);
    if (i == 0) {
      record = read_first_line(base::Reader(document, name));
      for (const schema::PlannedCase& planned : record.run.planned) ids.insert(planned.id);
    } else {
      read_later_line(base::Reader(document, name), ids, record);
    }
  }
  return record;
}

bool Journal::is_journal(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return false;  // opening a pipe would wait for its writer
  std::ifstream file(path, std::ios::binary);
  std::string beginning(kBeginning.size(), '\0');
  return file.read(beginning.data(), static_cast<std::streamsize>(beginning.size())) &&
         beginning == kBeginning;
}

void Journal::append(const std::string& case_id, const schema::Launch& launch) {
  append_line(launch_line(case_id, launch));
}

void Journal::append(const schema::LibtorchInfo& libtorch) {
  append_line(base::to_text(ordered_json{{"libtorch", to_json(libtorch)}}));
}

void Journal::append_line(const std::string& line) {
  // Writing to a deleted file would succeed, and the line would be lost.
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) {
    throw base::Error(base::ErrorKind::incomplete,
                      "cannot write " + path_.string() + ": the file no longer exists");
  }
  log_->append_line(line);
}

void Journal::rewrite(const schema::RunRecord& record) {
  std::error_code error;  // ignored: the write reports the problem
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), error);
  base::write_file_atomically(path_, whole_text(record));
  log_ = std::make_unique<base::DurableLog>(path_, base::DurableLog::Open::append);
}

void Journal::remove() {
  log_.reset();
  std::error_code error;  // ignored: a journal that stays does no harm
  std::filesystem::remove(path_, error);
}

}  // namespace mpsbench::supervise
