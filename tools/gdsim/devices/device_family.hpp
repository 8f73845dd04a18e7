#pragma once

#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <string>

namespace gdsim::cli {

/// The name of the model at the end of a model's chain of `base:`, roots left out: its family. A model without a base
/// is its own family. Unreadable files end the chain: the reader of the device reports them.
std::string family_of(const ModelLibrary& models, SourceFiles& sources, const std::string& name);

}  // namespace gdsim::cli
