#pragma once

#include <gdsim/import/profiles/json/kineto_event.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// The bytes of the whole buffer of a collective, from what PyTorch writes at its kernel: elements that go in and come
/// out, and their type. Nothing if it is none, or that is not known.
std::optional<std::uint64_t> collective_bytes(const KinetoEvent& event);

}  // namespace gdsim
