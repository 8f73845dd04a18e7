#pragma once

#include <gdsim/scenario/scenario_reader.hpp>

#include <filesystem>
#include <set>
#include <span>
#include <string>

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

}  // namespace gdsim::cli
