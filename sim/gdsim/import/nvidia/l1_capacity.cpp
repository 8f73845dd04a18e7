#include <gdsim/import/nvidia/cubin.hpp>

#include <array>
#include <utility>

namespace gdsim {

std::optional<std::uint64_t> unified_cache_of(std::string_view family) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 11> kKibibytes{{{"cc-7.0", 128},
                                                                                   {"cc-7.5", 96},
                                                                                   {"cc-8.0", 192},
                                                                                   {"cc-8.6", 128},
                                                                                   {"cc-8.7", 192},
                                                                                   {"cc-8.9", 128},
                                                                                   {"cc-9.0", 256},
                                                                                   {"cc-10.0", 256},
                                                                                   {"cc-10.3", 256},
                                                                                   {"cc-12.0", 128},
                                                                                   {"cc-12.1", 128}}};
  for (const auto& [name, size] : kKibibytes)
    if (name == family) return size * 1024;
  return std::nullopt;
}

}  // namespace gdsim
