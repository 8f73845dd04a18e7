#include <gdsim/import/ar_archive.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace gdsim {
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
  const auto place = name.starts_with("/") ? decimal_in(name.substr(1)) : std::nullopt;
  if (place && *place < long_names.size()) {
    const std::string_view from = long_names.substr(*place).substr(0, ByteView::kMaxName);
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

}  // namespace gdsim
