#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gdsim::cli {

/// A new file `.gdsim-partial-PID-NUMBER-INODE` in `folder` for an output until it is complete, open for writing and
/// locked while its process lives. The inode in its name shows that it is gdsim's. Throws InputError that names `shown`
/// if it cannot be made.
struct PartialFile {
  std::filesystem::path path;
  int descriptor;
};
PartialFile make_partial_file(const std::filesystem::path& folder, const std::filesystem::path& shown);

/// Removes partial files of dead processes in `folder`: nothing holds their lock. A file that only has such a name is
/// the user's, and stays unless it is empty.
void remove_dead_partial_files(const std::filesystem::path& folder);

/// `.gdsim-partial-PID-NUMBER`
std::string partial_name(int number);

/// Returns the entries of this type in `folder` with such a name.
std::vector<std::filesystem::path> partials_in(const std::filesystem::path& folder, std::filesystem::file_type type);

}  // namespace gdsim::cli
