#pragma once

#include "output/file_sink.hpp"
#include "output/named_outputs.hpp"
#include "output/standard_output.hpp"

#include <filesystem>
#include <optional>

namespace gdsim::cli {

/// True if `-o` or `--trace` names standard output: `-`.
bool is_standard_output(const std::string& name);

/// One file that a user names as an output. Throws InputError if it cannot be written, or if it is one of the files
/// that were read; also of those that were read since, before it takes its place.
///
/// A regular file, or one that is not there yet, appears when it is complete or not at all: written aside, then renamed
/// into place; links are followed, and stay. What is no regular file (a device, a FIFO, an open descriptor such as
/// /dev/stdout) is written through and stays what it is. `-` is standard output.
class OutputFile {
 public:
  /// `inputs` must outlive this.
  OutputFile(NamedOutput output, const FileRegister& inputs, StandardOutput& out);
  /// Removes what was written aside and not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Sink& sink();
  void commit();

 private:
  NamedOutput output_;
  std::filesystem::path path_;  ///< as the user named it
  const FileRegister& inputs_;
  StandardOutput& out_;
  std::filesystem::path place_;  ///< where links lead
  std::filesystem::path aside_;  ///< empty: written through
  std::optional<FileSink> sink_;
};

}  // namespace gdsim::cli
