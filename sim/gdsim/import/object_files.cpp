#include <gdsim/import/object_files.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <charconv>
#include <optional>

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
  const ByteView strings = section_at(names, file, "the names of sections").content;
  for (std::uint64_t i = 0; i < count; ++i)
    sections_[i].name = strings.c_string(file.u32(table + i * kSectionBytes), fmt::format("the name of section {}", i));
}

const ElfSection* ElfFile::find(std::string_view name) const {
  for (const ElfSection& section : sections_)
    if (section.name == name) return &section;
  return nullptr;
}

const ElfSection& ElfFile::section_at(std::uint64_t index, const ByteView& from, std::string_view what) const {
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

namespace {

constexpr std::uint64_t kMemberHeader = 60;

std::optional<std::uint64_t> decimal_in(std::string_view field) {
  const std::string_view digits = trimmed(field);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// The name of a member in GNU's format: it ends in a slash, or `/N` is the offset of a long name in the member `//`.
std::string name_of_member(std::string_view field, std::string_view long_names) {
  const std::string_view name = trimmed(field);
  const auto name_offset = name.starts_with("/") ? decimal_in(name.substr(1)) : std::nullopt;
  if (name_offset && *name_offset < long_names.size()) {
    const std::string_view from = long_names.substr(*name_offset).substr(0, ByteView::kMaxName);
    return std::string(from.substr(0, from.find_first_of("/\n")));
  }
  return std::string(name.substr(0, name.find('/')));
}

}  // namespace

std::vector<ArMember> read_ar(const ByteView& archive) {
  std::vector<ArMember> members;
  std::string_view long_names;
  for (std::uint64_t at = kArMagic.size(); at < archive.size();) {
    const ByteView header = archive.part(at, kMemberHeader, "the header of a member");
    if (header.bytes().substr(58) != "`\n") header.fail(58, "the header of a member does not end here");
    const auto size = decimal_in(header.bytes().substr(48, 10));
    if (!size) header.fail(48, "the size of a member is no number");
    const ByteView content = archive.part(at + kMemberHeader, *size, "a member");
    const std::string_view field = header.bytes().substr(0, 16);
    if (trimmed(field) == "//") {
      long_names = content.bytes();
    } else if (trimmed(field) != "/" && trimmed(field) != "/SYM64/") {
      members.push_back({name_of_member(field, long_names), content});
    }
    at += kMemberHeader + *size + *size % 2;
  }
  return members;
}

ByteView ByteView::part(std::uint64_t at, std::uint64_t size, std::string_view what) const {
  if (at > bytes_.size() || size > bytes_.size() - at)
    fail(at,
         fmt::format("{} has {} bytes here, but {} are left", what, size, at > bytes_.size() ? 0 : bytes_.size() - at));
  return {bytes_.substr(at, size), file_, base_ + at};
}

std::string_view ByteView::c_string(std::uint64_t at, std::string_view what) const {
  if (at >= bytes_.size()) fail(at, fmt::format("{} lies beyond the end of the names", what));
  const std::string_view rest = bytes_.substr(at, kMaxName + 1);
  const std::size_t end = rest.find('\0');
  if (end == std::string_view::npos)
    fail(at, rest.size() > kMaxName ? fmt::format("{} is longer than {} bytes", what, kMaxName)
                                    : fmt::format("{} does not end", what));
  return rest.substr(0, end);
}

void ByteView::fail(std::uint64_t at, const std::string& message) const {
  const std::uint64_t file_offset = at > UINT64_MAX - base_ ? UINT64_MAX : base_ + at;
  throw InputError({Diagnostic{
      "malformed", fmt::format("at byte {0} (0x{0:x}): {1}", file_offset, message), std::string(file_), 0, 0, {}}});
}

std::uint64_t ByteView::number(std::uint64_t at, unsigned bytes) const {
  if (at > bytes_.size() || bytes > bytes_.size() - at)
    fail(at, fmt::format("the file ends here, where a number of {} bytes is needed", bytes));
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes_[at + i])} << (8 * i);
  return value;
}

}  // namespace gdsim
