#pragma once

#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <string>

namespace gdsim::cli {

/// Returns a model's family: the last model of its chain of `base:`, roots left out. A model without a base is its own
/// family. An unreadable file ends the chain: the reader of the device reports it.
std::string family_of(const ModelLibrary& models, SourceFiles& sources, const std::string& name);

}  // namespace gdsim::cli
