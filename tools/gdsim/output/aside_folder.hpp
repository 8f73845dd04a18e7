#pragma once

#include <filesystem>
#include <string>

namespace gdsim::cli {

// An aside folder, `.gdsim-partial-PID-NUMBER` in a run's folder, holds the files of a run until they are complete. It
// has a list of the files that gdsim writes into it. All other files in it are the user's, and stay.

/// Makes such a folder in `folder`, under an unused name.
std::filesystem::path make_aside_folder(const std::filesystem::path& folder);

/// Lists a file, named within the folder. Must be called before it is made. Throws InputError that names `shown`.
void list_in_aside_folder(const std::filesystem::path& aside, const std::string& file,
                          const std::filesystem::path& shown);

/// Removes the listed files, the list, and folders that are empty then. Reports no failure: the next run removes what
/// stays. Does nothing if `aside` does not exist.
void remove_aside_folder(const std::filesystem::path& aside);

/// Removes such folders of dead processes. The caller must hold the lock of `folder`.
void remove_dead_aside_folders(const std::filesystem::path& folder);

}  // namespace gdsim::cli
