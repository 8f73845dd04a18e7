#include "plain_radix_heap.hpp"

#include <gdsim/event/event_queue.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <queue>
#include <random>
#include <tuple>

// Which structure holds future events best: the hold model. N events are pending; one is taken, another is scheduled a
// random time later. Two kinds of times: exponential, and the common case of a GPU, few distinct durations, so that
// many events fall together. Every structure keeps the order (time, sequence).

namespace {

using namespace gdsim;

struct Note {
  std::uint32_t number;
  std::size_t rank() const { return 0; }
};

/// Durations drawn beforehand, so that drawing is not measured.
class Durations {
 public:
  explicit Durations(bool ties) {
    std::mt19937_64 random(1);
    std::exponential_distribution<double> exponential(1e-6);
    for (auto& value : values_)
      value = ties ? 1'000'000 * (1 + static_cast<std::int64_t>(random() % 4))
                   : 1 + static_cast<std::int64_t>(exponential(random));
  }
  std::int64_t next() { return values_[position_++ % values_.size()]; }

 private:
  std::array<std::int64_t, 1 << 16> values_{};
  std::size_t position_ = 0;
};

/// What gdsim uses.
class RadixHeap {
 public:
  void schedule(std::int64_t time, std::uint32_t number) { queue_.schedule({time}, {number}); }
  /// Takes all events of the earliest time; calls `use(time, number)` for each.
  template <class Use>
  void take(Use use) {
    queue_.next_instant();
    while (!queue_.instant_is_over())
      for (const Note& note : queue_.pop_rank().events) use(queue_.now().count, note.number);
  }

 private:
  EventQueue<Note, 1> queue_;
};

/// The same idea and nothing else.
class PlainHeap {
 public:
  void schedule(std::int64_t time, std::uint32_t number) { heap_.push(static_cast<std::uint64_t>(time), number); }
  template <class Use>
  void take(Use use) {
    heap_.take([&](std::uint64_t time, std::uint32_t number) { use(static_cast<std::int64_t>(time), number); });
  }

 private:
  benchmarks::PlainRadixHeap<std::uint32_t> heap_;
};

class BinaryHeap {
 public:
  void schedule(std::int64_t time, std::uint32_t number) { heap_.emplace(time, sequence_++, number); }
  template <class Use>
  void take(Use use) {
    const auto [time, sequence, number] = heap_.top();
    heap_.pop();
    use(time, number);
  }

 private:
  using Entry = std::tuple<std::int64_t, std::uint64_t, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
  std::uint64_t sequence_ = 0;
};

/// One entry per distinct time.
class TimeMap {
 public:
  void schedule(std::int64_t time, std::uint32_t number) { times_[time].push_back(number); }
  template <class Use>
  void take(Use use) {
    const auto node = times_.extract(times_.begin());
    for (const std::uint32_t number : node.mapped()) use(node.key(), number);
  }

 private:
  std::map<std::int64_t, std::vector<std::uint32_t>> times_;
};

template <class Queue, bool kTies>
void hold(benchmark::State& state) {
  Durations durations(kTies);
  Queue queue;
  for (std::int64_t i = 0; i < state.range(0); ++i) queue.schedule(durations.next(), static_cast<std::uint32_t>(i));
  std::uint64_t handled = 0;
  for (auto _ : state)
    queue.take([&](std::int64_t time, std::uint32_t number) {
      queue.schedule(time + durations.next(), number);
      ++handled;
    });
  state.SetItemsProcessed(static_cast<std::int64_t>(handled));
  state.counters["ns_per_item"] =
      benchmark::Counter(static_cast<double>(handled), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

BENCHMARK_TEMPLATE(hold, RadixHeap, true)->Arg(1'000)->Arg(10'000)->Arg(1'000'000);
BENCHMARK_TEMPLATE(hold, PlainHeap, true)->Arg(10'000)->Arg(1'000'000);
BENCHMARK_TEMPLATE(hold, PlainHeap, false)->Arg(10'000)->Arg(1'000'000);
BENCHMARK_TEMPLATE(hold, BinaryHeap, true)->Arg(1'000)->Arg(10'000)->Arg(1'000'000);
BENCHMARK_TEMPLATE(hold, TimeMap, true)->Arg(1'000)->Arg(10'000)->Arg(1'000'000);
BENCHMARK_TEMPLATE(hold, RadixHeap, false)->Arg(1'000)->Arg(10'000)->Arg(1'000'000);
BENCHMARK_TEMPLATE(hold, BinaryHeap, false)->Arg(1'000)->Arg(10'000)->Arg(1'000'000);
BENCHMARK_TEMPLATE(hold, TimeMap, false)->Arg(1'000)->Arg(10'000)->Arg(1'000'000);
