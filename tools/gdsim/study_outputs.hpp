#pragma once

#include "options.hpp"

#include <gdsim/report/sink.hpp>
#include <gdsim/study/study_table.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace gdsim::cli {

/// The files that a study is to be written to, by their suffixes, and what goes to standard output.
class StudyOutputs {
 public:
  /// Reads -o and --format. Throws UsageError: a suffix that is none of .csv, .json, .sqlite, .html, .svg, two stores.
  explicit StudyOutputs(const Options& options);

  /// The store; empty if there is none.
  const std::filesystem::path& store() const { return store_; }
  bool has_tables() const { return !files_.empty(); }
  /// Writes every file but the store, each complete or not at all.
  void write_files(const StudyTable& table) const;
  /// What --format asks for; text if nothing is.
  void print(const StudyTable& table, Sink& out) const;

  static OptionSpec output_spec();
  static OptionSpec format_spec();

 private:
  std::filesystem::path store_;
  std::vector<std::filesystem::path> files_;
  std::string format_;
};

}  // namespace gdsim::cli
