#pragma once

#include <gdsim/base/read_budget.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
  [[noreturn]] void fail(std::uint64_t at, const std::string& message) const;

  /// The maximum length of names of kernels and sections.
  static constexpr std::size_t kMaxName = std::size_t{1} << 16;

 private:
  std::uint64_t number(std::uint64_t at, unsigned bytes) const;

  std::string_view bytes_;
  std::string_view file_;
  std::uint64_t base_ = 0;  ///< offset of the view in its file
};

/// Machines (`e_machine`) with GPU code.
namespace elf_machine {
inline constexpr std::uint16_t kCuda = 190;
inline constexpr std::uint16_t kIntelGt = 205;
inline constexpr std::uint16_t kAmdGpu = 224;
}  // namespace elf_machine

/// A section of an ELF file.
struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  ///< size in memory; also of a section without content in the file
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  ByteView content;  ///< empty if the file holds none
};

inline constexpr std::uint32_t kElfProgBits = 1;
inline constexpr std::uint32_t kElfSymbolTable = 2;
inline constexpr std::uint32_t kElfNote = 7;
inline constexpr std::uint32_t kElfNoBits = 8;
/// Of an entry of a symbol table.
inline constexpr std::uint64_t kElfSymbolBytes = 24;

/// A 64-bit little-endian ELF file: its header and its sections. The view must outlive it.
class ElfFile {
 public:
  /// Charges the budget for all sections. Throws InputError with the offset of the fault.
  ElfFile(const ByteView& file, ReadBudget& budget);

  static bool is_elf(const ByteView& file) {
    return file.starts_with(
        "\x7f"
        "ELF");
  }

  std::uint16_t type() const { return file_.u16(16); }
  std::uint16_t machine() const { return file_.u16(18); }
  std::uint32_t flags() const { return file_.u32(48); }
  std::uint8_t abi_version() const { return file_.u8(8); }
  const ByteView& file() const { return file_; }
  const std::vector<ElfSection>& sections() const { return sections_; }
  /// Returns null if no section has this name.
  const ElfSection* find(std::string_view name) const;
  /// Returns the section with this index. Errors call it `what`.
  const ElfSection& section_at(std::uint64_t index, const ByteView& from, std::string_view what) const;

 private:
  ByteView file_;
  std::vector<ElfSection> sections_;
};

/// A note of a section of type kElfNote.
struct ElfNote {
  std::string_view owner;  ///< `AMDGPU`
  std::uint32_t type = 0;
  ByteView content;
};

std::vector<ElfNote> notes_of(const ElfSection& section);

inline constexpr std::string_view kArMagic = "!<arch>\n";

/// A file within an archive of `ar`: a library of objects, or Intel's fat binary.
struct ArMember {
  std::string name;
  ByteView content;
};

/// Returns all members except the tables of symbols and names. Throws InputError.
std::vector<ArMember> read_ar(const ByteView& archive);

}  // namespace gdsim
