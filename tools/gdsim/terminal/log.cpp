#include "terminal/log.hpp"

#include "terminal/program.hpp"

#include <gdsim/base/text.hpp>

#include <spdlog/cfg/env.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

namespace gdsim::cli {
namespace {

spdlog::level::level_enum parse_level(const std::string& word) {
  const auto level = spdlog::level::from_str(word);
  if (level == spdlog::level::off && word != "off")
    throw UsageError("--log-level is " + in_quotes(word) + "; known: trace, debug, info, warn, error, critical, off");
  return level;
}

constexpr int kReport = 1;  ///< marks a report, in the source line of its message, which is not shown

/// Errors and reports are written as they are: `FILE:LINE:COLUMN: error: ...`. Other messages begin with the program
/// and the level.
class LogLines : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& to) override {
    if (message.level < spdlog::level::err && message.source.line != kReport) return pattern_.format(message, to);
    to.append(message.payload.data(), message.payload.data() + message.payload.size());
    to.push_back('\n');
  }
  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<LogLines>(); }

 private:
  spdlog::pattern_formatter pattern_{"%n: %^%l%$: %v", spdlog::pattern_time_type::local, "\n"};
};

/// Writes without spdlog's formatting: messages hold texts of users.
void write(spdlog::level::level_enum level, const std::string& text) {
  spdlog::default_logger_raw()->log(level, spdlog::string_view_t(text.data(), text.size()));
}

spdlog::color_mode mode_of(bool colored) { return colored ? spdlog::color_mode::always : spdlog::color_mode::never; }

std::shared_ptr<spdlog::logger> logger_to(spdlog::sink_ptr sink) {
  auto logger = std::make_shared<spdlog::logger>("gdsim", std::move(sink));
  logger->set_formatter(std::make_unique<LogLines>());
  logger->set_error_handler([](const std::string&) {});
  logger->set_level(spdlog::level::warn);
  return logger;
}

}  // namespace

struct KeptLog::Parts {
  std::ostringstream lines;
  std::shared_ptr<spdlog::logger> before = spdlog::default_logger();
};

KeptLog::KeptLog() : parts_(std::make_unique<Parts>()) {
  spdlog::set_default_logger(logger_to(std::make_shared<spdlog::sinks::ostream_sink_mt>(parts_->lines)));
}

KeptLog::~KeptLog() { spdlog::set_default_logger(parts_->before); }

std::string KeptLog::text() const { return parts_->lines.str(); }

void set_up_log(const std::optional<std::string>& level, ColorMode mode) {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(mode_of(is_colored(mode, STDERR_FILENO)));
  spdlog::set_default_logger(logger_to(std::move(sink)));
  spdlog::cfg::load_env_levels();
  if (level) spdlog::set_level(parse_level(*level));
}

bool logs_trace() { return spdlog::should_log(spdlog::level::trace); }

void log_trace(std::string_view message) { write(spdlog::level::trace, printable(message)); }
void log_debug(std::string_view message) { write(spdlog::level::debug, printable(message)); }
void log_info(std::string_view message) { write(spdlog::level::info, printable(message)); }
void log_warning(std::string_view message) { write(spdlog::level::warn, printable(message)); }
void log_report(std::string_view text) {
  const std::string shown = printable_lines(text);
  spdlog::default_logger_raw()->log(spdlog::source_loc{"", kReport, ""}, spdlog::level::warn,
                                    spdlog::string_view_t(shown.data(), shown.size()));
}
void log_error(std::string_view text) { write(spdlog::level::err, printable_lines(text)); }
void log_critical(std::string_view text) { write(spdlog::level::critical, printable_lines(text)); }

ColorMode parse_color(const std::optional<std::string>& word) {
  if (!word || *word == "auto") return ColorMode::automatic;
  if (*word == "always") return ColorMode::always;
  if (*word == "never") return ColorMode::never;
  throw UsageError("--color is " + in_quotes(*word) + "; known: auto, always, never");
}

bool is_colored(ColorMode mode, int descriptor) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  return isatty(descriptor) == 1 && term != nullptr && std::strcmp(term, "dumb") != 0;
}

}  // namespace gdsim::cli
