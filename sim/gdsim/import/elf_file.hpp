#pragma once

#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/byte_view.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace gdsim {

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
  const ElfSection& at(std::uint64_t index, const ByteView& from, std::string_view what) const;

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

}  // namespace gdsim
