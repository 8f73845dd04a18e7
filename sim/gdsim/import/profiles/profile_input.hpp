#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/read_budget.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace gdsim {

/// A file that may be a profile. Initially only its head is read, because profiles may exceed the memory.
class ProfileInput {
 public:
  /// Reads the head, decompressed if the file is compressed with gzip. Throws InputError if the file cannot be read.
  explicit ProfileInput(const std::filesystem::path& path);
  /// All bytes of an input that is no file, decompressed in the same way.
  ProfileInput(std::string name, std::string_view text);

  const std::filesystem::path& path() const { return path_; }
  const std::string& name() const { return name_; }
  bool is_gzip() const { return is_gzip_; }
  /// The first kHead bytes, or all bytes if there are fewer.
  std::string_view head() const { return head_; }
  bool head_is_all() const { return head_is_all_; }
  /// The file's budget, which all of its readers share.
  const std::shared_ptr<ReadBudget>& budget() const { return budget_; }
  /// Returns the whole text, decompressed, which is read at the first call. Valid as long as this object. Throws
  /// InputError if it takes more memory than the budget allows.
  const SourceText& text() const;
  /// Throws InputError: `FILE: error: WHAT`.
  [[noreturn]] void fail(const std::string& what) const;

  static constexpr std::size_t kHead = std::size_t{1} << 20;

 private:
  std::filesystem::path path_;
  std::string name_;
  std::shared_ptr<ReadBudget> budget_;
  bool is_gzip_ = false;
  std::string head_;
  bool head_is_all_ = false;
  mutable std::unique_ptr<SourceText> text_;
};

}  // namespace gdsim
