// Makes a model from a user's TorchScript file. Its inputs come from --input-shape, because the file does not
// contain them.
#pragma once

#include "model/definition.hpp"
#include "suite/settings.hpp"

#include <string>

namespace mpsbench::suite {

// True if NAME ends in ".pt".
[[nodiscard]] bool is_script_file(const std::string& name);

// Returns the text for a definition's source: the fingerprint of FILE. Throws Error(usage) if FILE is
// unreadable.
[[nodiscard]] std::string script_source(const std::string& file);

// Returns a definition of FILE as a network of one layer with --classes outputs per row (1000 by default).
// The definition contains the fingerprint of the file's bytes. Throws Error(usage) if --input-shape is
// missing or the file is unreadable.
[[nodiscard]] model::Definition script_definition(const std::string& file, const Settings& settings);

}  // namespace mpsbench::suite
