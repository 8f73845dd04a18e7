#include <gdsim/analysis/group_words.hpp>

namespace gdsim {

std::string_view words_for(const GroupState& state, bool exchanges) {
  const bool is_partial = state.placement == GroupPlacement::partial;
  if (state.placement == GroupPlacement::saved) return "saved: another process has the device";
  if (state.running() == 0 && state.waiting == 0)
    return is_partial ? "placed in part, ended so far" : "ended, contexts held";
  if (state.waiting > 0 && exchanges)
    return is_partial ? "placed in part, waiting for other devices" : "waiting for other devices and for links";
  if (state.running() == 0) return is_partial ? "placed in part, stalled at a barrier" : "stalled at a barrier";
  if (state.waiting > 0) return is_partial ? "placed in part, some stalled at a barrier" : "some stalled at a barrier";
  return is_partial ? "placed in part" : "running";
}

std::string_view name_of(GroupChange::Kind kind) {
  switch (kind) {
    case GroupChange::Kind::comes: return "comes";
    case GroupChange::Kind::changes: return "changes";
    case GroupChange::Kind::leaves: return "leaves";
  }
  return {};
}

std::string_view name_of(GroupPlacement placement) {
  if (placement == GroupPlacement::saved) return "saved";
  return placement == GroupPlacement::partial ? "partial" : "full";
}

}  // namespace gdsim
