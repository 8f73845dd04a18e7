#include <gdsim/import/elf_file.hpp>

#include <fmt/format.h>

namespace gdsim {
namespace {

constexpr std::uint64_t kHeaderBytes = 64;
constexpr std::uint64_t kSectionBytes = 64;
constexpr std::uint16_t kIndexInFirstSection = 0xffff;

/// The header of a section, without its name.
ElfSection read_section(const ByteView& file, std::uint64_t at, std::uint64_t index) {
  ElfSection section;
  section.type = file.u32(at + 4);
  section.address = file.u64(at + 16);
  section.offset = file.u64(at + 24);
  section.size = file.u64(at + 32);
  section.link = file.u32(at + 40);
  section.info = file.u32(at + 44);
  constexpr std::uint32_t null = 0;
  if (section.type != kElfNoBits && section.type != null)
    section.content = file.part(section.offset, section.size, fmt::format("section {}", index));
  return section;
}

std::uint64_t padded(std::uint64_t size) { return (size + 3) / 4 * 4; }

}  // namespace

ElfFile::ElfFile(const ByteView& file, ReadBudget& budget) : file_(file) {
  static_cast<void>(file.part(0, kHeaderBytes, "the ELF header"));
  if (file.u8(4) != 2) file.fail(4, "this ELF file is not of 64 bits; only those are read");
  if (file.u8(5) != 1) file.fail(5, "this ELF file is not little-endian; only those are read");
  const std::uint64_t table = file.u64(40);
  if (table == 0) return;
  if (file.u16(58) != kSectionBytes)
    file.fail(58, fmt::format("section headers of {} bytes; {} are needed", file.u16(58), kSectionBytes));
  static_cast<void>(file.part(table, kSectionBytes, "the table of sections"));
  // If there are too many sections, the first section holds their number and the index of their names.
  std::uint64_t count = file.u16(60);
  if (count == 0) count = file.u64(table + 32);
  if (count > file.size() / kSectionBytes)
    file.fail(60, fmt::format("{} sections do not fit into a file of {} bytes", count, file.size()));
  static_cast<void>(file.part(table, count * kSectionBytes, "the table of sections"));
  std::uint64_t names = file.u16(62);
  if (names == kIndexInFirstSection) names = file.u32(table + 40);

  sections_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    sections_.push_back(read_section(file, table + i * kSectionBytes, i));
    budget.charge(ReadCost::parts, kSectionBytes + sections_.back().content.size());
  }
  if (names == 0) return;
  const ByteView strings = at(names, file, "the names of sections").content;
  for (std::uint64_t i = 0; i < count; ++i)
    sections_[i].name = strings.c_string(file.u32(table + i * kSectionBytes), fmt::format("the name of section {}", i));
}

const ElfSection* ElfFile::find(std::string_view name) const {
  for (const ElfSection& section : sections_)
    if (section.name == name) return &section;
  return nullptr;
}

const ElfSection& ElfFile::at(std::uint64_t index, const ByteView& from, std::string_view what) const {
  if (index >= sections_.size())
    from.fail(0, fmt::format("{} should be section {}; there are {}", what, index, sections_.size()));
  return sections_[index];
}

std::vector<ElfNote> notes_of(const ElfSection& section) {
  const ByteView& all = section.content;
  std::vector<ElfNote> notes;
  for (std::uint64_t at = 0; at < all.size();) {
    const std::uint64_t owner_size = all.u32(at);
    const std::uint64_t size = all.u32(at + 4);
    const ByteView owner = all.part(at + 12, owner_size, "the owner of a note");
    const std::uint64_t begin = at + 12 + padded(owner_size);
    std::string_view name = owner.bytes();
    if (!name.empty() && name.back() == '\0') name.remove_suffix(1);
    notes.push_back({name, all.u32(at + 8), all.part(begin, size, "a note")});
    at = begin + padded(size);
  }
  return notes;
}

}  // namespace gdsim
