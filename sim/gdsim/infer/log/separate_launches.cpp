#include <gdsim/infer/log/separate_launches.hpp>

#include <gdsim/infer/log/log_footprints.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Returns a session for each launch.
std::vector<LogSession> apart(const LogSession& session) {
  std::vector<LogSession> sessions;
  for (const LoggedLaunch& launch : session.launches)
    sessions.push_back({launch.name, session.cores, session.is_in_order, {launch}});
  return sessions;
}

}  // namespace

void separate_launches(PlacementLog& log, const DeviceSpec& device) {
  if (log.time == LogTime::none) return;
  std::vector<LogSession> sessions;
  bool is_separated = false;
  for (LogSession& session : log.sessions) {
    std::vector<LogSession> parts = apart(session);
    const auto is_overfull = [&](const LogSession& one) { return holds_more_than_fit(one, log.time, device); };
    if (parts.size() > 1 && is_overfull(session) && std::none_of(parts.begin(), parts.end(), is_overfull)) {
      is_separated = true;
      for (LogSession& one : parts) sessions.push_back(std::move(one));
    } else {
      sessions.push_back(std::move(session));
    }
  }
  log.sessions = std::move(sessions);
  if (is_separated)
    log.notes.push_back(
        "launches would overlap so that cores held more than they can: each launch is taken by itself, with a clock of "
        "its own");
}

}  // namespace gdsim
