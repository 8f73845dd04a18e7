#pragma once

#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace gdsim::cli {

/// Throws UsageError unless the name of the output file ends in one of these suffixes, which select the format. `-` and
/// an existing file that is not a regular file, such as a device, may have any name.
void require_suffix(const std::filesystem::path& file, std::initializer_list<std::string_view> known);

/// Throws UsageError if a folder to write into is named like a file that some other command writes.
void require_folder_name(const std::filesystem::path& folder);

}  // namespace gdsim::cli
