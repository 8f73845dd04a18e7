#pragma once

#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// By which the content of a file is known: two files with the same are taken for equal.
struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;  ///< 64 digits, as sha256sum prints them
  bool operator==(const FileDigest&) const = default;
};

FileDigest digest_of(std::string_view text);

/// Nothing if the file cannot be read; then `errno` has the reason.
std::optional<FileDigest> digest_of_file(const std::filesystem::path& path);

/// Forwards what is written to it, and digests it.
class DigestSink : public Sink {
 public:
  explicit DigestSink(Sink& next);
  ~DigestSink() override;
  DigestSink(const DigestSink&) = delete;
  DigestSink& operator=(const DigestSink&) = delete;

  void write(std::string_view text) override;
  /// Of all that was written. Called once, at the end.
  FileDigest finish();

  class Digest;

 private:
  Sink& next_;
  std::unique_ptr<Digest> digest_;
};

}  // namespace gdsim::cli
