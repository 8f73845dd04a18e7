#pragma once

#include <cstddef>
#include <vector>

namespace gdsim {

// A binary min-heap in a vector of entries, ordered by `finish`. It breaks ties as the heap of the standard library
// does, but is faster: push writes the new entry once, and pop selects the lesser of two children without a branch,
// which could not be predicted.

template <class Entry>
void push_to_heap(std::vector<Entry>& heap, Entry entry) {
  std::size_t at = heap.size();
  heap.emplace_back();
  for (; at > 0 && entry.finish < heap[(at - 1) / 2].finish; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = entry;
}

/// Removes and returns the entry with the least `finish`. The heap must not be empty.
template <class Entry>
Entry pop_from_heap(std::vector<Entry>& heap) {
  const Entry first = heap.front();
  const Entry last = heap.back();
  heap.pop_back();
  if (heap.empty()) return first;
  std::size_t at = 0;
  std::size_t child = 2;
  for (; child < heap.size(); child = 2 * at + 2) {
    child -= static_cast<std::size_t>(heap[child - 1].finish < heap[child].finish);
    heap[at] = heap[child];
    at = child;
  }
  if (child == heap.size()) {
    heap[at] = heap[child - 1];
    at = child - 1;
  }
  for (; at > 0 && last.finish < heap[(at - 1) / 2].finish; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = last;
  return first;
}

}  // namespace gdsim
