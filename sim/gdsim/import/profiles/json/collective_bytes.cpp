#include <gdsim/import/profiles/json/collective_bytes.hpp>

#include <gdsim/import/profiles/exact_number.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

/// Returns the bytes of an element by PyTorch's name of its type, or nullopt. Several names are 8-bit floating point.
std::optional<std::uint64_t> bytes_of_type(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 10> types{{{"Double", 8},
                                                                              {"Long", 8},
                                                                              {"Float", 4},
                                                                              {"Int", 4},
                                                                              {"Half", 2},
                                                                              {"BFloat16", 2},
                                                                              {"Short", 2},
                                                                              {"Byte", 1},
                                                                              {"Char", 1},
                                                                              {"Bool", 1}}};
  for (const auto& [name, bytes] : types)
    if (type == name) return bytes;
  return type.starts_with("Float8") ? std::optional<std::uint64_t>(1) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> collective_bytes(const KinetoEvent& event) {
  if (event.collective.empty()) return std::nullopt;
  const auto in = whole_number(event.elements_in, kMaxProfiledSize);
  const auto out = whole_number(event.elements_out, kMaxProfiledSize);
  const auto element = bytes_of_type(event.data_type);
  if ((!in && !out) || !element) return std::nullopt;
  const std::uint64_t bytes = std::max(in.value_or(0), out.value_or(0)) * *element;
  return bytes <= kMaxProfiledBytes ? std::optional(bytes) : std::nullopt;
}

}  // namespace gdsim
