#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/base/diagnostic.hpp>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gdsim::cli {

/// The name of the file that lists the others of its folder.
inline constexpr const char* kSummaryFile = "summary.json";

/// Returns the list `files` of a folder's `summary.json`, of any version of gdsim, or nullopt if it has none.
std::optional<std::vector<ListedFile>> listed_files(const SourceText& summary);

/// Returns every file in a folder of results, named within it. Throws InputError, with all problems, if there is
/// something that gdsim did not write. gdsim wrote each `summary.json` with a list `files`, and what these list, as
/// long as it has the listed size; what the list of an interrupted replacement names (kOwnList); and nothing else. An
/// entry of the folder that is called `aside` is passed over.
std::set<std::string> require_own_files(const std::filesystem::path& folder, const std::filesystem::path& aside);

}  // namespace gdsim::cli
