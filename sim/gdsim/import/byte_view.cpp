#include <gdsim/import/byte_view.hpp>

#include <gdsim/base/diagnostic.hpp>

#include <fmt/format.h>

namespace gdsim {

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

void ByteView::fail(std::uint64_t at, const std::string& what) const {
  const std::uint64_t place = at > UINT64_MAX - base_ ? UINT64_MAX : base_ + at;
  throw InputError({Diagnostic{
      "malformed", fmt::format("at byte {} (0x{:x}): {}", place, place, what), std::string(file_), 0, 0, {}}});
}

std::uint64_t ByteView::number(std::uint64_t at, unsigned bytes) const {
  if (at > bytes_.size() || bytes > bytes_.size() - at)
    fail(at, fmt::format("the file ends here, where a number of {} bytes is needed", bytes));
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes_[at + i])} << (8 * i);
  return value;
}

}  // namespace gdsim
