#pragma once

#include "output/aside_folder.hpp"
#include "output/file_sink.hpp"
#include "output/named_outputs.hpp"
#include "output/standard_output.hpp"

#include <filesystem>
#include <optional>

namespace gdsim::cli {

/// Returns true if `-o` or `--trace` names standard output: `-`.
bool is_standard_output(const std::string& name);

/// One file that a user names as an output. Throws InputError if it cannot be written or is one of the files that were
/// read. commit() also checks the files that were read since.
///
/// A regular or new file appears only when it is complete: it is written aside, synced, then renamed into place. Links
/// are followed, and stay. Anything else (a device, a FIFO, an open descriptor such as /dev/stdout) is written directly
/// and is not replaced. `-` is standard output.
class OutputFile {
 public:
  /// `inputs` must outlive this.
  OutputFile(NamedOutput output, const FileRegister& inputs, StandardOutput& out);
  Sink& sink();
  void commit();

 private:
  NamedOutput output_;
  std::filesystem::path path_;  ///< as the user named it
  const FileRegister& inputs_;
  StandardOutput& out_;
  std::filesystem::path place_;       ///< the target of links
  std::optional<AsideFolder> aside_;  ///< nullopt: written directly
  std::optional<FileSink> sink_;
};

}  // namespace gdsim::cli
