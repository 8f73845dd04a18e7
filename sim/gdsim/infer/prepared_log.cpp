#include <gdsim/infer/prepared_log.hpp>

#include <gdsim/infer/log/separate_launches.hpp>
#include <gdsim/infer/log/slot_gaps.hpp>

#include <string>
#include <utility>

namespace gdsim {

PreparedLog prepare_log(const SourceText& source, PlacementLog log, const DeviceSpec& model, Diagnostics& problems) {
  PreparedLog prepared;
  prepared.device = device_of_log(model, log, source, problems);
  prepared.log = std::move(log);
  if (!problems.empty()) return prepared;
  separate_launches(prepared.log, prepared.device);
  for (const LogSession& session : prepared.log.sessions) {
    std::vector<std::string> known;
    prepared.footprints.push_back(
        footprints_of(session, prepared.log.time, prepared.device, Admission::whole, prepared.log.notes, problems));
    prepared.partial_footprints.push_back(
        footprints_of(session, prepared.log.time, prepared.device, Admission::partial, known, problems));
  }
  if (!problems.empty()) return prepared;
  prepared.gaps = slot_gaps(prepared.log, prepared.footprints);
  prepared.recoveries = {0};
  if (!prepared.gaps.empty() && prepared.gaps.front() > 0) prepared.recoveries.push_back(prepared.gaps.front());
  if (prepared.log.recovery) prepared.recoveries = {*prepared.log.recovery};
  return prepared;
}

}  // namespace gdsim
