#include "output/file_digest.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <nettle/sha2.h>

#include <array>
#include <cerrno>
#include <vector>

namespace gdsim::cli {
/// Computes SHA-256 and length of its input.
class DigestSink::Digest {
 public:
  Digest() { sha256_init(&context_); }

  void add(std::string_view text) {
    bytes_ += text.size();
    sha256_update(&context_, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  }

  FileDigest finish() {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> bytes{};
    sha256_digest(&context_, bytes.size(), bytes.data());
    FileDigest result{bytes_, {}};
    for (const unsigned byte : bytes) {
      result.sha256 += "0123456789abcdef"[byte >> 4];
      result.sha256 += "0123456789abcdef"[byte & 0xFU];
    }
    return result;
  }

 private:
  sha256_ctx context_{};
  std::uint64_t bytes_ = 0;
};

FileDigest digest_of(std::string_view text) {
  DigestSink::Digest digest;
  digest.add(text);
  return digest.finish();
}

std::optional<FileDigest> digest_of_file(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  DigestSink::Digest digest;
  std::vector<char> buffer(std::size_t{1} << 18);
  ssize_t count = 0;
  while ((count = read(descriptor, buffer.data(), buffer.size())) > 0 || (count < 0 && errno == EINTR))
    if (count > 0) digest.add({buffer.data(), static_cast<std::size_t>(count)});
  const int why = errno;
  ::close(descriptor);
  errno = why;
  if (count < 0) return std::nullopt;
  return digest.finish();
}

DigestSink::DigestSink(Sink& next) : next_(next), digest_(std::make_unique<Digest>()) {}
DigestSink::~DigestSink() = default;

void DigestSink::write(std::string_view text) {
  digest_->add(text);
  next_.write(text);
}

FileDigest DigestSink::finish() { return digest_->finish(); }

}  // namespace gdsim::cli
