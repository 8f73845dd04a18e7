#pragma once

#include <gdsim/analysis/listed_file.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <vector>

namespace gdsim {

/// Writes the key `files` of `summary.json`: name, size and SHA-256 of every other file in the folder. Readers check
/// with it that the folder is whole; the next run learns which files gdsim wrote. Without files there is no key.
void write_files(const std::vector<ListedFile>& files, JsonWriter& json);

}  // namespace gdsim
