#include "output/own_files.hpp"

#include "options/shell_word.hpp"
#include "output/file_digest.hpp"
#include "output/file_lists.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <algorithm>
#include <utility>

namespace gdsim::cli {

namespace fs = std::filesystem;

std::string how_to_keep(const fs::path& file) {
  return "move it away (mv " + shell_word(file.string()) + " " + shell_word(file.string() + ".mine") +
         ") or write into another folder";
}

OwnFiles::OwnFiles(fs::path folder) : folder_(std::move(folder)) {
  const fs::path summary = folder_ / kSummaryFile;
  std::error_code error;
  if (fs::symlink_status(summary, error).type() != fs::file_type::regular) return;
  SourceFiles files;
  const SourceText& text = files.read(summary);
  const auto list = listed_files(text);
  if (!list) return;
  summary_ = digest_of(text.text()).sha256;
  for (const ListedFile& file : *list) listed_.emplace(file.name, file);
}

std::string OwnFiles::find(const std::string& name) const {
  if (name == kSummaryFile) return summary_;
  const auto listed = listed_.find(name);
  std::error_code error;
  if (listed == listed_.end() || fs::symlink_status(folder_ / name, error).type() != fs::file_type::regular) return {};
  const auto digest = digest_of_file(folder_ / name);
  return digest && *digest == FileDigest{listed->second.bytes, listed->second.sha256} ? digest->sha256 : "";
}

std::string OwnFiles::claim(const std::string& name, Diagnostics& problems) const {
  const fs::path file = folder_ / name;
  std::error_code error;
  const fs::file_status status = fs::symlink_status(file, error);
  if (!fs::exists(status)) return {};
  std::string own = find(name);
  if (!own.empty()) return own;
  std::string why;
  if (fs::is_directory(status)) {
    why = "cannot be written: it is a folder";
  } else if (name == kSummaryFile) {
    why = "would be overwritten, but it is not the summary of a run's folder (it has no list `files`); ";
  } else if (listed_.count(name) > 0) {
    why = "would be overwritten, but it was changed since gdsim wrote it; ";
  } else {
    why = std::string("would be overwritten, but gdsim did not write it (no ") + kSummaryFile + " lists it); ";
  }
  if (!fs::is_directory(status)) why += how_to_keep(file);
  problems.add(Diagnostic{"not_ours", why, file.string(), 0, 0, {}});
  return {};
}

}  // namespace gdsim::cli
