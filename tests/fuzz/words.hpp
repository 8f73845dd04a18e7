#pragma once

#include <set>
#include <string>

namespace gdsim::fuzz {

/// The words of gdsim's files: every key that a reader knows, every column of an occupancy table, and words and shapes
/// that stand as values.
std::set<std::string> words();

}  // namespace gdsim::fuzz
