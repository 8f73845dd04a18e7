#pragma once

#include <gdsim/analysis/listed_file.hpp>
#include <gdsim/base/diagnostic.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// What a commit does with one file of a folder.
struct FileChange {
  std::string file;    ///< within the folder: `timeline.csv`, `CASE/timeline.csv`
  std::string before;  ///< the SHA-256 of the file that is there; empty: none is
  std::string after;   ///< that of the file that takes its place; empty: it is removed
};

/// The key `files` of a folder's `summary.json`; nothing if the text has none that this program could have written.
std::optional<std::vector<ListedFile>> listed_files(const SourceText& summary);

/// The journal of a commit, as JSON and back; nothing if the text is none that this program could have written.
std::string journal_text(const std::vector<FileChange>& changes);
std::optional<std::vector<FileChange>> journaled_changes(const SourceText& journal);

}  // namespace gdsim::cli
