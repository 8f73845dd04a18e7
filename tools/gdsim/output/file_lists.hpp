#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/base/diagnostic.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// The change that a commit makes to one file of a folder.
struct FileChange {
  std::string file;    ///< within the folder: `timeline.csv`, `CASE/timeline.csv`
  std::string before;  ///< the SHA-256 of the present file; empty: there is none
  std::string after;   ///< the SHA-256 of the file that replaces it; empty: it is removed
};

/// Returns the list `files` of a folder's `summary.json`, or nullopt if this program cannot have written it.
std::optional<std::vector<ListedFile>> listed_files(const SourceText& summary);

/// Writes the journal of a commit as JSON and reads it. Reading returns nullopt if this program cannot have written it.
std::string journal_text(const std::vector<FileChange>& changes);
std::optional<std::vector<FileChange>> journaled_changes(const SourceText& journal);

}  // namespace gdsim::cli
