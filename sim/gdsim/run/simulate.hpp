#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace gdsim {

class TileLog;

/// Bounds of a run. A run that reaches one ends with that instant; its outcome is `bounded`.
struct RunBounds {
  std::optional<std::uint64_t> events;  ///< handled events
  std::optional<SimTime> time;
};

/// A request that a run ends, or none. It is made from a std::stop_token, or from another copyable value with such a
/// stop_requested(). It is as thread-safe as the value from which it was made.
///
/// It replaces std::stop_token because <stop_token> takes a third as long to compile as all public headers together.
class StopToken {
 public:
  /// Never ends a run.
  StopToken() = default;
  template <class Token>
  requires(!std::is_same_v<Token, StopToken> && std::is_copy_constructible_v<Token>) && requires(const Token& token) {
    static_cast<bool>(token.stop_requested());
  }
  StopToken(Token token)
      : held_(std::make_unique<Held<Token>>(std::move(token))) {}  // implicit: it stands for the token
  StopToken(const StopToken& other) : held_(other.held_ == nullptr ? nullptr : other.held_->copy()) {}
  StopToken& operator=(StopToken other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }
  ~StopToken() = default;

  bool stop_requested() const { return held_ != nullptr && held_->stop_requested(); }

 private:
  struct AnyToken {
    virtual ~AnyToken() = default;
    virtual std::unique_ptr<const AnyToken> copy() const = 0;
    virtual bool stop_requested() const = 0;
  };
  template <class Token>
  struct Held final : AnyToken {
    explicit Held(Token held) : token(std::move(held)) {}
    std::unique_ptr<const AnyToken> copy() const override { return std::make_unique<Held>(*this); }
    bool stop_requested() const override { return token.stop_requested(); }

    Token token;
  };

  std::unique_ptr<const AnyToken> held_;  ///< null: never ends a run
};

/// The records of a run, its observers, and its conditions for an early end.
///
///     std::stop_source stop;
///     gdsim::RunOptions options;
///     options.stop = stop.get_token();  // stop.request_stop(), from any thread, ends the run
///     options.bounds.time = gdsim::parse_time("1 s").value;
struct RunOptions {
  MinPhase min_phase;
  KeepTimeline keep_timeline = KeepTimeline::no;
  std::vector<Observer*> observers{};      ///< none may be null; all must outlive the run
  std::vector<WaitSeries*> wait_series{};  ///< the waits of threads over time; each new, else as `observers`
  TileLog* tile_log = nullptr;             ///< set by RunTables::watch(): the tiles that work-groups take
  RunBounds bounds{};
  StopToken stop{};               ///< when a stop is requested, the run ends after its present instant, interrupted
  std::uint64_t seed_offset = 0;  ///< added to the seed of every draw, modulo 2^64
};

/// The results of a run, with its timeline or, if only these were kept, its resident threads over time.
struct RunResult {
  RunRecord record;
  Timeline timeline;
  ResidentTimeline resident;
  std::uint64_t events = 0;  ///< handled events
};

/// Runs a compiled workload until nothing is pending, a stop is requested, or a bound is reached.
///
/// Throws InputError if an option is invalid, TimeOverflowError if simulated time leaves 64 bits, and DefectError if
/// gdsim itself is at fault. Deterministic: the same values give the same result. Memory use is proportional to the
/// resident threads and to the kept records. Thread-safe: any number of threads may run the same Compiled at the same
/// time, each with observers of its own.
///
///     const gdsim::Compiled compiled = gdsim::compile(device, workload).value();
///     gdsim::RunOptions options;
///     options.keep_timeline = gdsim::KeepTimeline::yes;
///     const gdsim::RunResult run = gdsim::simulate(compiled, options);
///     std::cout << run.timeline.size() << " changes in " << gdsim::to_text(run.record.duration()) << '\n';
RunResult simulate(const Compiled& compiled, const RunOptions& options = {});

}  // namespace gdsim
