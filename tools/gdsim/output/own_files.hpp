#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/base/diagnostic.hpp>

#include <filesystem>
#include <map>
#include <string>

namespace gdsim::cli {

/// The name of the file that lists the others of its folder.
inline constexpr const char* kSummaryFile = "summary.json";

/// Returns how to keep a file of the user: `move it away (mv ...) or write into another folder`.
std::string how_to_keep(const std::filesystem::path& file);

/// The files of a folder that an earlier run wrote: `summary.json`, and the files that it lists if their contents are
/// as listed. All others are the user's.
class OwnFiles {
 public:
  explicit OwnFiles(std::filesystem::path folder);

  /// Returns the SHA-256 of an existing file that gdsim wrote; empty if no such file exists. A file of the user's is a
  /// problem, whose message says how to solve it.
  std::string claim(const std::string& name, Diagnostics& problems) const;
  /// Returns the SHA-256 of a file that gdsim wrote; empty if there is none or it is the user's.
  std::string find(const std::string& name) const;
  const std::map<std::string, ListedFile>& listed() const { return listed_; }

 private:
  std::filesystem::path folder_;
  std::map<std::string, ListedFile> listed_;
  std::string summary_;  ///< the SHA-256 of `summary.json`; empty: gdsim wrote none
};

}  // namespace gdsim::cli
