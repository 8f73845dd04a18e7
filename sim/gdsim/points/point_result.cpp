#include <gdsim/points/point_result.hpp>

namespace gdsim {

std::string_view name_of(PointStatus status) {
  switch (status) {
    case PointStatus::ok: return "ok";
    case PointStatus::deadlocked: return "deadlocked";
    case PointStatus::refused: return "refused";
    case PointStatus::interrupted: return "interrupted";
  }
  return {};
}

}  // namespace gdsim
