#pragma once

#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// Identifies the content of a file: two files with the same digest are taken for equal.
struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;  ///< 64 digits, as sha256sum prints them
  bool operator==(const FileDigest&) const = default;
};

FileDigest digest_of(std::string_view text);

/// Returns nullopt if the file cannot be read; then `errno` has the reason.
std::optional<FileDigest> digest_of_file(const std::filesystem::path& path);

/// Forwards what is written to it, and computes its digest.
class DigestSink : public Sink {
 public:
  explicit DigestSink(Sink& next);
  ~DigestSink() override;
  DigestSink(const DigestSink&) = delete;
  DigestSink& operator=(const DigestSink&) = delete;

  void write(std::string_view text) override;
  /// Returns the digest of all that was written. Must be called once, after the last write.
  FileDigest finish();

  class Digest;

 private:
  Sink& next_;
  std::unique_ptr<Digest> digest_;
};

}  // namespace gdsim::cli
