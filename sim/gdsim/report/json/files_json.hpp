#pragma once

#include <gdsim/analysis/listed_file.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <vector>

namespace gdsim {

/// The key `files` of a folder's `summary.json`: name, size and SHA-256 of every file beside it, by which a reader
/// knows whether the folder is whole, and the next run which files gdsim wrote. Nothing if there are none.
void write_files(const std::vector<ListedFile>& files, JsonWriter& json);

}  // namespace gdsim
