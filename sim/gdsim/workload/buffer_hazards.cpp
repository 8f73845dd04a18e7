#include <gdsim/workload/buffer_hazards.hpp>

namespace gdsim {

void BufferHazards::add(LaunchId id, const Launch& launch, std::vector<Dependency>& found) {
  for (const BufferId buffer : launch.reads)
    if (const auto writer = uses_[index_of(buffer)].writer)
      found.push_back({*writer, Cause::read_after_write, Until::ended, buffer});
  for (const BufferId buffer : launch.writes) {
    const Use& use = uses_[index_of(buffer)];
    if (use.readers.empty() && use.writer)
      found.push_back({*use.writer, Cause::write_after_write, Until::ended, buffer});
    for (const LaunchId reader : use.readers) found.push_back({reader, Cause::write_after_read, Until::ended, buffer});
  }
  for (const BufferId buffer : launch.reads) uses_[index_of(buffer)].readers.push_back(id);
  for (const BufferId buffer : launch.writes) uses_[index_of(buffer)] = {id, {}};
}

}  // namespace gdsim
