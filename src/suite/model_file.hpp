// Makes a model from a user's file: TorchScript, or a package by AOTInductor. Its inputs come from
// --input-shape, because the file does not contain them.
#pragma once

#include "model/definition.hpp"
#include "suite/settings.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::suite {

// Names of a user's files as parts of case ids: readable in any script, safe, and never the same for two files.
// Returns TEXT as a model's name of at most MOST characters: each character that such a name must not contain becomes
// '_'. A longer text is cut and ends with a part of its SHA-256.
[[nodiscard]] std::string safe_name(std::string_view text, std::size_t most);

// Returns the name of each of FILES: its own, of a model without the ending. Files that would share a
// name get longer ones. Two paths of one file have one name.
[[nodiscard]] std::map<std::string, std::string> file_names(const std::vector<std::string>& files);

// Returns the name of FILE that plan_cases gave SETTINGS, or its name alone.
[[nodiscard]] std::string name_in_ids(const Settings& settings, const std::string& file);

// True if NAME ends in ".pt2", in upper or lower case.
[[nodiscard]] bool is_package_file(const std::string& name);
// True if NAME ends in ".pt2" or like a TorchScript file: ".pt", ".pth", ".torchscript" or ".jit".
[[nodiscard]] bool is_model_file(const std::string& name);

// Returns the text for a definition's source: the fingerprint of FILE. Throws Error(usage) if FILE is unreadable.
[[nodiscard]] std::string model_file_source(const std::string& file);
// Returns the SHA-256 in such a text.
[[nodiscard]] std::string sha256_of_source(const std::string& source);

// Returns a definition of FILE as a network of one layer with --classes outputs per row (1000 by default).
// The definition contains the fingerprint of the file's bytes. Throws Error(usage) if --input-shape is
// missing or the file is unreadable or of another kind.
[[nodiscard]] model::Definition model_file_definition(const std::string& file, const Settings& settings);

}  // namespace mpsbench::suite
