#pragma once

#include <gdsim/store/point_store.hpp>

#include <cstdint>
#include <filesystem>
#include <span>

namespace gdsim {

/// Copies the results of the shards of one study into `store`, which keeps its own results. Throws InputError if a file
/// is of another study (another scenario, other models, another version, other lists), if two files disagree about a
/// point, or if points are missing; the message then lists them with their shards.
StoredStudy merge_studies(std::span<const std::filesystem::path> files, PointStore& store);

}  // namespace gdsim
