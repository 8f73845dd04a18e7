#pragma once

#include <gdsim/analysis/listed_file.hpp>
#include <gdsim/base/diagnostic.hpp>

#include <filesystem>
#include <map>
#include <string>

namespace gdsim::cli {

/// The name of the file that lists the others of its folder.
inline constexpr const char* kSummaryFile = "summary.json";

/// `move it away (mv ...) or write into another folder`: how what is the user's is kept.
std::string how_to_keep(const std::filesystem::path& file);

/// Which files of a folder an earlier run wrote: those that its `summary.json` lists and that are what it lists, and
/// this list itself. All others are the user's.
class OwnFiles {
 public:
  explicit OwnFiles(std::filesystem::path folder);

  /// The SHA-256 of a file that is there and that gdsim wrote; empty if there is none. One that is the user's is a
  /// problem, whose message says how to solve it.
  std::string claim(const std::string& name, Diagnostics& problems) const;
  /// The SHA-256 of a file that gdsim wrote; empty if there is none, or it is the user's.
  std::string find(const std::string& name) const;
  const std::map<std::string, ListedFile>& listed() const { return listed_; }

 private:
  std::filesystem::path folder_;
  std::map<std::string, ListedFile> listed_;
  std::string summary_;  ///< the SHA-256 of `summary.json`; empty: there is none of ours
};

}  // namespace gdsim::cli
