#pragma once

#include "output/file_lists.hpp"

#include <gdsim/scenario/file_register.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace gdsim::cli {

// A commit replaces one whole run in a folder by the next. First, the next run is written to an aside folder. Then that
// folder is renamed to `.gdsim-commit`: from this instant, the next run is valid. Its files are moved into place one by
// one. Each `summary.json` is removed before and moved after the files that it lists. A process that is killed in
// between leaves `.gdsim-commit`. Readers look into it first, and the next run finishes the commit.

/// Returns where the new files of a commit lie within its aside folder.
std::filesystem::path new_files_of(const std::filesystem::path& aside);

/// Makes `aside` the commit of `folder`, with these changes in this order. Both must be on one file system. The caller
/// must hold the lock of `folder` and must have checked that its files are those that the changes name.
void begin_commit(const std::filesystem::path& folder, const std::filesystem::path& aside,
                  const std::vector<FileChange>& changes);

/// Finishes the commit that was begun in `folder`, if there is one. The caller must hold the lock of `folder`. Throws
/// InputError, and the commit stays, if one of `inputs` or a file that was put there in between would be lost.
void finish_commit(const std::filesystem::path& folder, const FileRegister& inputs);

/// Returns the files that are changed.
std::set<std::string> files_of(const std::vector<FileChange>& changes);

/// Returns where a file of a run's folder lies: in an unfinished commit of `folder` or of the folder of all cases, else
/// in `folder`.
std::filesystem::path place_in_folder(const std::filesystem::path& folder, const std::string& file);

}  // namespace gdsim::cli
