// A user's TorchScript file as a model: its inputs come from --input-shape, since the file does not tell
// them.
#pragma once

#include "model/definition.hpp"
#include "suite/settings.hpp"

#include <string>

namespace mpsbench::suite {

// Ends in ".pt".
[[nodiscard]] bool is_script_file(const std::string& name);

// "3x224x224" (float32, without the batch) or "128:30522" (int64 from 0 to 30521). What is wrong, or empty.
[[nodiscard]] std::string check_input_shape(const std::string& text);

// What a definition made from FILE has as its source: its fingerprint. Throws Error(usage) if unreadable.
[[nodiscard]] std::string script_source(const std::string& file);

// FILE as a network of one layer with --classes outputs a row (1000 if left out). The fingerprint of its
// bytes is part of the definition. Throws Error(usage): no --input-shape, an unreadable file.
[[nodiscard]] model::Definition script_definition(const std::string& file, const Settings& settings);

}  // namespace mpsbench::suite
