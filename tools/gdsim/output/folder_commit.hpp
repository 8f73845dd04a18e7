#pragma once

#include "output/file_lists.hpp"

#include <gdsim/scenario/file_register.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace gdsim::cli {

// How a folder changes from one whole run to the next. All files of the next run are written aside first. Then that
// folder gets the name `.gdsim-commit`: from this instant, the next run is there. Its files are moved into place one by
// one, each `summary.json` being removed before and moved after all that it lists. A process that is killed in between
// leaves `.gdsim-commit`; readers look into it first, and the next run into the folder ends what was begun.

/// Where the new files of a commit lie within a folder that is written aside.
std::filesystem::path new_files_of(const std::filesystem::path& aside);

/// Makes `aside` the commit of `folder`, with these changes, in this order; both are on one file system. The caller
/// holds the lock of `folder`, and has seen that it holds what the changes say.
void begin_commit(const std::filesystem::path& folder, const std::filesystem::path& aside,
                  const std::vector<FileChange>& changes);

/// Ends a commit that was begun in `folder`, if there is one. The caller holds the lock of `folder`. Throws InputError,
/// and the commit stays, if a file that was put there in between would be lost, or one of `inputs`.
void finish_commit(const std::filesystem::path& folder, const FileRegister& inputs);

/// The files that are changed.
std::set<std::string> files_of(const std::vector<FileChange>& changes);

/// Where a file of a run's folder lies: in a commit that was begun and not ended, be it of `folder` or of the folder
/// that holds all cases, else in `folder`.
std::filesystem::path place_in_folder(const std::filesystem::path& folder, const std::string& file);

}  // namespace gdsim::cli
