// Device memory and streams that release themselves.
#pragma once

#include <cstddef>
#include <vector>

#include "gpu.hpp"

namespace probe {

/// `count` values in the device's memory, all bytes 0.
template <typename T>
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t count) : count_(count) {
    GPU_CHECK(GPU(Malloc)(&values_, count * sizeof(T)));
    clear();
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { (void)GPU(Free)(values_); }

  void clear() { GPU_CHECK(GPU(Memset)(values_, 0, count_ * sizeof(T))); }

  T* get() const { return values_; }

  std::vector<T> read() const {
    std::vector<T> values(count_);
    GPU_CHECK(GPU(Memcpy)(values.data(), values_, count_ * sizeof(T), GPU(MemcpyDeviceToHost)));
    return values;
  }

  void write(const std::vector<T>& values) {
    GPU_CHECK(GPU(Memcpy)(values_, values.data(), values.size() * sizeof(T), GPU(MemcpyHostToDevice)));
  }

 private:
  T* values_ = nullptr;
  std::size_t count_;
};

class Stream {
 public:
  explicit Stream(int priority = 0) {
    GPU_CHECK(GPU(StreamCreateWithPriority)(&stream_, GPU(StreamNonBlocking), priority));
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { (void)GPU(StreamDestroy)(stream_); }
  GPU(Stream_t) get() const { return stream_; }

 private:
  GPU(Stream_t) stream_ = nullptr;
};

class Event {
 public:
  Event() { GPU_CHECK(GPU(EventCreate)(&event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { (void)GPU(EventDestroy)(event_); }
  void record(GPU(Stream_t) stream) { GPU_CHECK(GPU(EventRecord)(event_, stream)); }
  /// Both events must have completed.
  std::int64_t nanoseconds_since(const Event& earlier) const {
    float milliseconds = 0;
    GPU_CHECK(GPU(EventElapsedTime)(&milliseconds, earlier.event_, event_));
    return static_cast<std::int64_t>(static_cast<double>(milliseconds) * 1e6);
  }

 private:
  GPU(Event_t) event_ = nullptr;
};

}  // namespace probe
