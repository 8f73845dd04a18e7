#pragma once

#include <filesystem>

namespace gdsim::cli {

/// A new file in `folder` in which an output is written aside, open for writing and locked while its process lives:
/// `.gdsim-partial-PID-NUMBER`. Throws InputError that names `shown` if it cannot be made.
struct PartialFile {
  std::filesystem::path path;
  int descriptor;
};
PartialFile make_partial_file(const std::filesystem::path& folder, const std::filesystem::path& shown);

/// The folder `.gdsim-partial-PID` in `folder`, in which a run is written aside.
std::filesystem::path partial_folder(const std::filesystem::path& folder);

/// Removes partial files in `folder` of processes that have died: nothing holds their lock.
void remove_dead_partial_files(const std::filesystem::path& folder);

/// Removes partial folders in `folder`. The caller holds the lock of `folder`, so the processes that made them are
/// dead.
void remove_dead_partial_folders(const std::filesystem::path& folder);

}  // namespace gdsim::cli
