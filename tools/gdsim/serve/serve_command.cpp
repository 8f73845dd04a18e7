#include "options/command.hpp"

#include "cases/page_run.hpp"
#include "options/shared_options.hpp"
#include "output/sinks.hpp"
#include "serve/live_page.hpp"
#include "serve/page_server.hpp"
#include "terminal/log.hpp"

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/page/html/html_report.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace gdsim::cli {
namespace {

/// The interval at which files are polled.
constexpr std::chrono::milliseconds kPollInterval{100};

/// Reads --port; 0: any free port.
std::uint16_t read_port(const Options& options) {
  const auto text = options.value("port");
  if (!text) return 0;
  constexpr std::int64_t max = 65'535;
  const Parsed<Decimal> number = parse_decimal(*text);
  const auto port = number.value && is_whole(*number.value, 1) ? round_product({*number.value}) : std::nullopt;
  if (!port || *port < 1 || *port > max)
    throw UsageError("--port " + in_quotes(*text) + " is not a whole number from 1 to 65535, as in `--port 8080`");
  return static_cast<std::uint16_t>(*port);
}

/// Watches the files in its own thread during a run: a new version of the scenario supersedes the run.
class Supersession {
 public:
  explicit Supersession(WatchedFiles& files)
      : watcher_([this, &files](const std::stop_token& over) {
          for (; !over.stop_requested() && !is_superseded_; std::this_thread::sleep_for(kPollInterval))
            is_superseded_ = files.have_changed();
        }) {}

  bool stop_requested() const { return is_superseded_; }

 private:
  std::atomic<bool> is_superseded_{false};
  std::jthread watcher_;
};

/// Ends a run when the program ends or when the run is superseded.
struct EndOfRun {
  StopToken program;
  const Supersession* supersession;
  bool stop_requested() const { return program.stop_requested() || supersession->stop_requested(); }
};

/// One call of `gdsim serve`.
class ServeCall {
 public:
  explicit ServeCall(CommandContext& context)
      : context_(context), options_(context.options), port_(read_port(context.options)) {
    if (options_.arguments().size() != 1) throw UsageError("one scenario file is needed");
    file_ = options_.arguments().front();
    read_scale(options_);
    read_options_ = scenario_options(options_);
    require_regular_file();
  }
  ExitStatus run() {
    LivePage page(page_before_first_run(file_.filename().string()));
    const PageServer server(page, port_);
    /// However this ends, requests that wait for a change are answered.
    struct Close {
      LivePage& page;
      ~Close() { page.close(); }
    } const close{page};
    context_.out.show("serving " + file_.string() + " at http://127.0.0.1:" + std::to_string(server.port()) +
                      "/ and reloading it when it is saved; press Ctrl-C to stop\n");
    context_.out.flush();
    while (!is_over()) {
      SourceFiles sources;
      const bool is_read = draw(page, sources);
      WatchedFiles files(sources);
      wait_for_change(files, is_read);
    }
    return ExitStatus::interrupted;
  }

 private:
  /// Refuses anything else, such as a pipe: reading it might never end.
  void require_regular_file() const {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(file_, unknown))
      throw InputError(file_.string() +
                       " is not a regular file; `serve` needs one to watch, as in `gdsim serve mine.yaml`");
  }

  bool is_over() const { return context_.run_options.stop.stop_requested(); }

  /// Shows the scenario as it is now. Returns true if it could be read: then only its own files can change it.
  bool draw(LivePage& page, SourceFiles& sources) {
    bool is_read = false;
    const auto refuse = [&](const std::string& why) {
      if (page.now().notice != why) log_error(why);
      page.show_notice(why);
    };
    try {
      require_regular_file();
      const auto cases = read_cases(file_, read_options_, sources);
      is_read = true;
      draw_cases(page, cases, sources);
    } catch (const InputError& error) {
      refuse(error.what());
    } catch (const TimeOverflowError& error) {
      refuse(file_.string() + ": error: " + error.what());
    } catch (const std::bad_alloc&) {
      refuse(file_.string() + ": error: not enough memory for this scenario");
    }
    return is_read;
  }

  void draw_cases(LivePage& page, const std::vector<ScenarioCase>& cases, const SourceFiles& sources) {
    WatchedFiles files(sources);
    InternalRunOptions run_options = context_.run_options;
    const Supersession supersession(files);
    run_options.stop = StopToken(EndOfRun{context_.run_options.stop, &supersession});
    const ServedPage served{page.next_page()};
    DrawnPage drawn = draw_page(cases.front().scenario.title, cases, options_, run_options, &served);
    if (drawn.status != ExitStatus::interrupted) page.show(std::move(drawn.text));
  }

  /// Waits until a file has changed and its writer has had time to finish. If the scenario could not be read, waits
  /// only a short time: a missing file may exist then.
  void wait_for_change(WatchedFiles& files, bool is_read) const {
    constexpr int polls_until_retry = 10;
    for (int poll = 0; !is_over() && !files.have_changed(); ++poll) {
      if (!is_read && poll == polls_until_retry) return;
      std::this_thread::sleep_for(kPollInterval);
    }
    if (!is_over()) std::this_thread::sleep_for(kPollInterval);
  }

  CommandContext& context_;
  const Options& options_;
  std::uint16_t port_;
  std::filesystem::path file_;
  ReadOptions read_options_;
};

ExitStatus run_serve(CommandContext& context) { return ServeCall(context).run(); }

}  // namespace

Command serve_command() {
  CommandSpec spec{
      "serve",
      "SCENARIO.yaml",
      "the page of a run in a browser, drawn anew as you save",
      "Runs the scenario and serves its page at 127.0.0.1, on this machine only. The first line printed is the\n"
      "address. The scenario runs again whenever it, or a model or table that it reads, is saved; open pages\n"
      "reload. Errors are shown above the last valid page. Every user of this machine can read the page.\n"
      "Exit status: 130 stopped by Ctrl-C, 2 wrong options or file, or the port is taken.",
      "  gdsim serve mine.yaml\n"
      "  gdsim serve mine.yaml --port 8080 --set kernels.saxpy.local=512",
      {{"port", 0, "N", "serve at this port, from 1 to 65535 (default: one that is free)"},
       scale_option_spec(),
       explain_option_spec()}};
  for (const OptionSpec& option : scenario_option_specs()) spec.options.push_back(option);
  put_in_group(spec, kWhatIsWritten, {"port", "scale", "explain"});
  return {spec, run_serve};
}

}  // namespace gdsim::cli
