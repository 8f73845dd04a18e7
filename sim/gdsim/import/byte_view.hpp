#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

/// A part of a binary file that may be damaged or hostile. Every access is checked: a read beyond the end throws an
/// InputError that names the file and the offset. Numbers are little-endian. The bytes and the name of the file must
/// outlive the view.
class ByteView {
 public:
  ByteView() = default;
  ByteView(std::string_view bytes, std::string_view file, std::uint64_t base = 0)
      : bytes_(bytes), file_(file), base_(base) {}

  std::uint64_t size() const { return bytes_.size(); }
  std::string_view bytes() const { return bytes_; }
  std::string_view file() const { return file_; }

  std::uint8_t u8(std::uint64_t at) const { return static_cast<std::uint8_t>(number(at, 1)); }
  std::uint16_t u16(std::uint64_t at) const { return static_cast<std::uint16_t>(number(at, 2)); }
  std::uint32_t u32(std::uint64_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
  std::uint64_t u64(std::uint64_t at) const { return number(at, 8); }

  /// Returns `size` bytes from `at`. Errors call them `what`: `section 3 (.text)`.
  ByteView part(std::uint64_t at, std::uint64_t size, std::string_view what) const;
  /// Returns the characters from `at` to the next zero byte, at most kMaxName.
  std::string_view c_string(std::uint64_t at, std::string_view what) const;
  bool starts_with(std::string_view magic) const { return bytes_.starts_with(magic); }

  /// Throws InputError: `FILE: error: at byte 64 (0x40): WHAT`. `at` counts from the beginning of this view.
  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;

  /// The maximum length of names of kernels and sections.
  static constexpr std::size_t kMaxName = std::size_t{1} << 16;

 private:
  std::uint64_t number(std::uint64_t at, unsigned bytes) const;

  std::string_view bytes_;
  std::string_view file_;
  std::uint64_t base_ = 0;  ///< offset of the view in its file
};

}  // namespace gdsim
