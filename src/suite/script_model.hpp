// A user's TorchScript file as a model: its inputs come from --input-shape, since the file does not tell
// them.
#pragma once

#include "model/definition.hpp"
#include "suite/settings.hpp"

#include <string>

namespace mpsbench::suite {

// Ends in ".pt".
[[nodiscard]] bool is_script_file(const std::string& name);

// What a definition made from FILE has as its source: its fingerprint. Throws Error(usage) if unreadable.
[[nodiscard]] std::string script_source(const std::string& file);

// FILE as a network of one layer with --classes outputs a row (1000 if left out). The fingerprint of its
// bytes is part of the definition. Throws Error(usage): no --input-shape, an unreadable file.
[[nodiscard]] model::Definition script_definition(const std::string& file, const Settings& settings);

}  // namespace mpsbench::suite
