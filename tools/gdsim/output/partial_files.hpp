#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gdsim::cli {

/// A new file in `folder` in which an output is written aside, open for writing and locked while its process lives:
/// `.gdsim-partial-PID-NUMBER-INODE`. Its own inode in its name is what makes it known as gdsim's. Throws InputError
/// that names `shown` if it cannot be made.
struct PartialFile {
  std::filesystem::path path;
  int descriptor;
};
PartialFile make_partial_file(const std::filesystem::path& folder, const std::filesystem::path& shown);

/// Removes partial files in `folder` of processes that have died: nothing holds their lock. A file that only has such a
/// name is the user's, and stays, unless it is empty.
void remove_dead_partial_files(const std::filesystem::path& folder);

/// `.gdsim-partial-PID-NUMBER`
std::string partial_name(int number);

/// What of this type has such a name in `folder`.
std::vector<std::filesystem::path> partials_in(const std::filesystem::path& folder, std::filesystem::file_type type);

}  // namespace gdsim::cli
