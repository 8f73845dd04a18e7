#pragma once

#include <gdsim/base/diagnostic.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace gdsim {

/// A file that may be a profile. Only its head is read at once: profiles may be larger than memory.
class ProfileInput {
 public:
  /// Reads the head; of a file that is compressed with gzip, the head of what it holds. Throws InputError if the file
  /// cannot be read.
  explicit ProfileInput(const std::filesystem::path& path);
  /// Bytes that stand in no file, all of them; decompressed likewise.
  ProfileInput(std::string name, std::string_view text);

  const std::filesystem::path& path() const { return path_; }
  const std::string& name() const { return name_; }
  bool is_gzip() const { return is_gzip_; }
  /// The first kHead bytes, or all that there are.
  std::string_view head() const { return head_; }
  bool head_is_all() const { return head_is_all_; }
  /// All of it, decompressed; read when it is asked for first. Throws InputError if it is longer than kMaxText. Valid
  /// as long as the input.
  const SourceText& text() const;
  /// Throws InputError: `FILE: error: WHAT`.
  [[noreturn]] void fail(const std::string& what) const;

  static constexpr std::size_t kHead = std::size_t{1} << 20;
  static constexpr std::size_t kMaxText = std::size_t{1} << 29;

 private:
  std::filesystem::path path_;
  std::string name_;
  bool is_gzip_ = false;
  std::string head_;
  bool head_is_all_ = false;
  mutable std::unique_ptr<SourceText> text_;
};

}  // namespace gdsim
