#include <gdsim/record/timeline.hpp>

namespace gdsim {

void Residency::apply(const Fact& fact, Scope scope) {
  switch (fact.kind) {
    case FactKind::placed:
      threads += fact.threads;
      running += fact.threads;
      if (scope == Scope::core ? fact.opens_core : fact.opens_group) ++work_groups;
      if (fact.opens_core) slm = slm + fact.slm;
      return;
    case FactKind::resumed: running += fact.threads; return;
    case FactKind::waiting:
    case FactKind::ended: running -= fact.threads; return;
    case FactKind::given_back:
      threads -= fact.threads;
      if (scope == Scope::core ? fact.closes_core : fact.closes_group) --work_groups;
      if (fact.closes_core) slm = slm - fact.slm;
      return;
  }
}

ResidentTimeline resident_of(const Timeline& timeline, SimTime end) {
  if (timeline.empty()) return {};
  return {map_points<ResidentPoint>(timeline.view(),
                                    [](const TimelinePoint& point) {
                                      return ResidentPoint{point.time, point.counts.resident.threads};
                                    }),
          end};
}

}  // namespace gdsim
