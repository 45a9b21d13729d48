#include "base/safetensors.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "base/mapped_file.hpp"

#include <nlohmann/json.hpp>

#include <limits>
#include <system_error>

namespace mpsbench::base {
namespace {

// This is enough for 40,000 tensors; the format itself allows 100 MB.
constexpr std::uint64_t kMaxHeaderBytes = 4U << 20U;
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

constexpr std::size_t kLengthBytes = 8;  // of the header's length, before it

std::uint64_t little_endian_64(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) value = (value << 8U) | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

// Returns what a file of these BYTES is instead, and what to do, or "" if it may be a safetensors file.
std::string other_kind(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 1024);
  if (is_lfs_pointer(start)) return kLfsPointer;
  const bool has_header = start.size() > kLengthBytes && start[kLengthBytes] == '{';
  const bool is_pickle = start.starts_with("\x80\x02") && start.size() > 2 && start[2] != '\0' && !has_header;
  if (start.starts_with("PK\x03\x04") || is_pickle)
    return "not a safetensors file, but weights as torch.save writes them, which can hold code; in Python, write the "
           "state dict with safetensors.torch.save_file(state_dict, 'FILE.safetensors')";
  const bool is_json = !start.empty() && start[start.find_first_not_of(" \t\r\n") % start.size()] == '{';
  if (is_json &&
      (start.find("\"weight_map\"") != std::string::npos || start.find("\"total_size\"") != std::string::npos))
    return "the index of weights in several files, but mpsbench reads one safetensors file; in Python, load the model "
           "and write its state dict with safetensors.torch.save_file(state_dict, 'FILE.safetensors')";
  if (start.starts_with("GGUF")) return "a GGUF file; mpsbench reads safetensors files";
  return "";
}

// Returns the bytes of one element, or 0 if safetensors has no such type.
std::uint64_t dtype_bytes(const std::string& dtype) {
  static const std::map<std::string, std::uint64_t> kBytes{
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"I16", 2}, {"U16", 2}, {"F16", 2},
      {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"F32", 4},     {"F64", 8},     {"I64", 8}, {"U64", 8}};
  const auto found = kBytes.find(dtype);
  return found == kBytes.end() ? 0 : found->second;
}

TensorEntry read_entry(Reader& reader, std::uint64_t data_bytes) {
  TensorEntry entry;
  entry.dtype = reader.at("dtype").string();
  entry.shape = reader.at("shape").integers(0, kMax);
  const std::vector<std::int64_t> offsets = reader.at("data_offsets").integers(0, kMax);
  reader.done();
  const std::uint64_t element_bytes = dtype_bytes(entry.dtype);
  if (element_bytes == 0) throw reader.error("unknown dtype '" + entry.dtype + "'");
  if (offsets.size() != 2 || offsets[0] > offsets[1]) throw reader.error("data_offsets must be [begin, end]");
  entry.begin = static_cast<std::uint64_t>(offsets[0]);
  entry.end = static_cast<std::uint64_t>(offsets[1]);
  std::uint64_t bytes = element_bytes;
  for (const std::int64_t size : entry.shape) {
    if (size != 0 && bytes > data_bytes / static_cast<std::uint64_t>(size)) {
      throw reader.error("the shape needs more bytes than the file has; is the file truncated?");
    }
    bytes *= static_cast<std::uint64_t>(size);
  }
  if (entry.end > data_bytes) throw reader.error("the data reaches past the end of the file; is the file truncated?");
  if (entry.end - entry.begin != bytes) throw reader.error("data_offsets do not match the shape and dtype");
  return entry;
}

}  // namespace

SafetensorsHeader read_safetensors_header(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw usage_error(path.string() + ": is a folder, not a file; name the .safetensors file in it");
  const MappedFile file(path);
  const std::string_view bytes = file.text();
  if (const std::string other = other_kind(bytes); !other.empty()) throw usage_error(path.string() + ": " + other);
  if (bytes.size() < kLengthBytes) throw usage_error(path.string() + ": not a safetensors file: it has no header");
  const std::uint64_t header_bytes = little_endian_64(bytes);
  if (header_bytes > bytes.size() - kLengthBytes) {
    throw usage_error(path.string() + ": not a safetensors file, or truncated: its header would have " +
                      std::to_string(header_bytes) + " bytes");
  }
  if (header_bytes > kMaxHeaderBytes) {
    throw usage_error(path.string() + ": its header has " + std::to_string(header_bytes) +
                      " bytes, more than the limit of " + std::to_string(kMaxHeaderBytes));
  }
  const nlohmann::json document = parse_json(bytes.substr(kLengthBytes, header_bytes), path.string());
  SafetensorsHeader header;
  header.data_offset = kLengthBytes + header_bytes;
  Reader reader(document, path.string());
  for (const std::string& name : reader.keys()) {
    if (name == "__metadata__") continue;
    Reader entry = reader.at(name);
    header.tensors.emplace(name, read_entry(entry, bytes.size() - header.data_offset));
  }
  return header;
}

std::string make_safetensors_header(const std::map<std::string, TensorEntry>& tensors) {
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  for (const auto& [name, entry] : tensors) {
    document[name] = {{"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
  }
  std::string text = to_text(document);
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i) bytes += static_cast<char>(text.size() >> (8 * i));
  return bytes + text;
}

}  // namespace mpsbench::base
