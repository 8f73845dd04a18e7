#pragma once

#include <gdsim/scenario/scenario_reader.hpp>

#include <filesystem>
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// A file that a command will write.
struct NamedOutput {
  std::string option;          ///< as it was given: `-o DIR`, `--trace FILE`
  std::filesystem::path file;  ///< `-`: standard output
};

/// The output of text for people, beside the outputs that options name.
NamedOutput standard_output();

/// Throws InputError, with all problems at once, if one of the outputs is a file that was read, or if two outputs are
/// one file under any names. Must be called before any output is written.
void require_free(std::span<const NamedOutput> outputs, const FileRegister& inputs);

/// The same for files within a folder that `-o` names: none of these files may have been read.
void require_free_in(const std::filesystem::path& folder, const std::set<std::string>& files,
                     const FileRegister& inputs);

/// Throws UsageError if a file that another option names would lie within the folder of `-o`, which is replaced as a
/// whole.
void require_outside(const NamedOutput& output, const std::filesystem::path& folder);

/// Throws UsageError unless the name of the output file ends in one of these suffixes, which select the format. `-` and
/// an existing file that is not a regular file, such as a device, may have any name.
void require_suffix(const std::filesystem::path& file, std::initializer_list<std::string_view> known);

/// Throws UsageError if a folder to write into is named like a file that some other command writes.
void require_folder_name(const std::filesystem::path& folder);

}  // namespace gdsim::cli
