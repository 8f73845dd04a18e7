#include <gdsim/check/check_values.hpp>
#include <gdsim/check/value_checker.hpp>

namespace gdsim {
namespace {

/// Checks that the ranges are ascending and separate, as normalized() makes them.
void check_cores(const CoreSelection& cores, const std::string& at, ValueChecker& out) {
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const std::string path = item_path(at, i);
    if (cores[i].first > cores[i].last)
      out.fail(path, "goes from core " + std::to_string(index_of(cores[i].first)) + " to core " +
                         std::to_string(index_of(cores[i].last)) + "; a range goes from the lower core to the higher");
    if (i > 0 && cores[i].first <= cores[i - 1].last)
      out.fail(path, "begins before the range in front of it ends; ranges must ascend and not overlap");
  }
}

/// Paths are made only for problems: a workload may have millions of launches.
template <class Ids>
void check_ids(const Ids& ids, std::size_t size, const std::string& at, const char* key, const char* what,
               ValueChecker& out) {
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (index_of(ids[i]) >= size) out.id(item_path(at + key, i), index_of(ids[i]), size, what);
}

}  // namespace

Issues check_queue_values(const Queue& queue, std::size_t index) {
  ValueChecker out;
  const std::string at = item_path("queues", index);
  out.enumerator(at + ".order", queue.order, QueueOrder::out_of_order);
  check_cores(queue.cores, at + ".cores", out);
  return out.take();
}

Issues check_launch_values(const Workload& workload, std::size_t index) {
  ValueChecker out;
  const Launch& launch = workload.launches[index];
  const std::string at = item_path("launches", index);
  out.time(at + ".at", launch.at);
  check_ids(launch.after, workload.launches.size(), at, ".after", "launch", out);
  check_ids(launch.after_triggers, workload.launches.size(), at, ".after", "launch", out);
  check_ids(launch.host_waits, workload.launches.size(), at, ".wait", "launch", out);
  if (launch.queue) out.id(at + ".queue", index_of(*launch.queue), workload.queues.size(), "queue");
  check_ids(launch.reads, workload.buffers.size(), at, ".reads", "buffer", out);
  check_ids(launch.writes, workload.buffers.size(), at, ".writes", "buffer", out);
  if (launch.work.valueless_by_exception()) {
    out.fail(at + ".work", "is neither a kernel nor a copy: an exception took its value");
  } else if (launch.is_copy()) {
    out.bytes(at + ".copy.bytes", launch.as_copy().bytes, 1);
    out.enumerator(at + ".copy.direction", launch.as_copy().direction, CopyDirection::to_device);
  } else if (launch.is_kernel()) {
    out.id(at + ".kernel", index_of(launch.as_kernel().kernel), workload.kernels.size(), "kernel");
    check_cores(launch.as_kernel().cores, at + ".cores", out);
  }
  return out.take();
}

}  // namespace gdsim
