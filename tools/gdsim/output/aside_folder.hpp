#pragma once

#include <filesystem>
#include <string>

namespace gdsim::cli {

// A folder `.gdsim-partial-PID-NUMBER` within a run's folder, in which a run is written aside. It has a list of what
// gdsim writes into it: whatever else lies there is the user's, and stays.

/// Makes such a folder in `folder`, under a name that nothing had.
std::filesystem::path make_aside_folder(const std::filesystem::path& folder);

/// Adds a file, named within the folder, to the list; before the file is made. Throws InputError that names `shown`.
void list_in_aside_folder(const std::filesystem::path& aside, const std::string& file,
                          const std::filesystem::path& shown);

/// Removes what the list names, the list, and the folders that are empty then. Reports no failure: what stays is
/// removed by the next run. Nothing is there if `aside` is gone.
void remove_aside_folder(const std::filesystem::path& aside);

/// Removes such folders of processes that are dead: the caller holds the lock of `folder`.
void remove_dead_aside_folders(const std::filesystem::path& folder);

}  // namespace gdsim::cli
