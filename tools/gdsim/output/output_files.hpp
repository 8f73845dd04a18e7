#pragma once

#include "options/options.hpp"
#include "output/aside_folder.hpp"
#include "output/named_outputs.hpp"
#include "output/sinks.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// How a result is written to files that end in `suffix`.
struct SuffixWriter {
  std::string_view suffix;  ///< `.csv`
  std::function<void(Sink&)> write;
};

/// The output files of -o, whose suffixes select their formats, and --format.
class OutputsBySuffix {
 public:
  /// Throws UsageError for a suffix not in `known`, for two stores (`.sqlite`), and for a format other than text, csv,
  /// json.
  OutputsBySuffix(const Options& options, std::vector<std::string_view> known);

  /// The file that ends in `.sqlite`; empty if there is none.
  const std::filesystem::path& store() const { return store_; }
  /// Returns true if there are files beside the store.
  bool has_files() const { return !files_.empty(); }

  /// Throws InputError if one of the files, the store included, is among those that were read, or if two are one file.
  void require_free(const FileRegister& inputs) const;
  /// Writes every file but the store, each complete or not at all, and the format of --format to standard output.
  /// Writes none of them unless all are free.
  void write(const std::vector<SuffixWriter>& writers, const std::function<std::string()>& text,
             const FileRegister& inputs, StandardOutput& out) const;

  static OptionSpec format_spec();

 private:
  std::filesystem::path store_;
  std::vector<std::filesystem::path> files_;
  std::string format_;
};

}  // namespace gdsim::cli
