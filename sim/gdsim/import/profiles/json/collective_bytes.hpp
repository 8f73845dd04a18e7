#pragma once

#include <gdsim/import/profiles/json/kineto_event.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// Returns the bytes of the whole buffer of a collective, from PyTorch's record of its kernel: input and output
/// elements, and their type. Returns nullopt if the kernel is no collective, or the bytes are unknown.
std::optional<std::uint64_t> collective_bytes(const KinetoEvent& event);

}  // namespace gdsim
