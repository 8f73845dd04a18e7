#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

namespace gdsim {

bool PtxInstruction::has_part(std::string_view part) const {
  std::string_view rest = opcode;
  while (true) {
    const std::size_t dot = rest.find('.');
    if (dot == std::string_view::npos) return false;
    rest.remove_prefix(dot + 1);
    if (rest.substr(0, rest.find('.')) == part) return true;
  }
}

std::optional<std::uint32_t> PtxKernel::find_label(std::string_view name) const {
  const auto found = places.find(name);
  return found == places.end() ? std::nullopt : std::optional(found->second);
}

const PtxSharedVariable* PtxKernel::find_shared(std::string_view name) const {
  for (const PtxSharedVariable& variable : shared)
    if (variable.name == name) return &variable;
  return nullptr;
}

}  // namespace gdsim
