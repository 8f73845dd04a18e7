#pragma once

#include <gdsim/base/read_budget.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace gdsim {

/// The bytes of a file in blocks, decompressed if the file is compressed with gzip: the file's budget is charged for
/// them. Memory use does not depend on the size of the file.
class ByteStream {
 public:
  /// Throws InputError if the file cannot be opened.
  ByteStream(const std::filesystem::path& path, ReadBudget& budget);
  /// The bytes of a text, which must outlive the stream.
  ByteStream(std::string_view text, std::string name, ReadBudget& budget);
  ~ByteStream();

  /// Returns the next block of at most kBlock bytes, or an empty one at the end. Valid until the next call. Throws
  /// InputError with the offset if the file cannot be read, or if compressed data is damaged or cut off.
  std::string_view next();
  bool is_gzip() const;
  const std::string& name() const;

  static constexpr std::size_t kBlock = std::size_t{1} << 18;

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace gdsim
