#include "log.hpp"

#include "options.hpp"

#include <gdsim/base/printable.hpp>

#include <spdlog/cfg/env.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace gdsim::cli {
namespace {

spdlog::level::level_enum parse_level(const std::string& word) {
  const auto level = spdlog::level::from_str(word);
  if (level == spdlog::level::off && word != "off")
    throw UsageError("--log-level is '" + word + "'; known: trace, debug, info, warn, error, critical, off");
  return level;
}

spdlog::color_mode mode_of(bool colored) { return colored ? spdlog::color_mode::always : spdlog::color_mode::never; }

}  // namespace

void set_up_log(const std::optional<std::string>& level, Color color) {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_st>(mode_of(is_colored(color, STDERR_FILENO)));
  auto logger = std::make_shared<spdlog::logger>("gdsim", std::move(sink));
  logger->set_pattern("%n: %^%l%$: %v");
  logger->set_level(spdlog::level::warn);
  spdlog::set_default_logger(std::move(logger));
  spdlog::cfg::load_env_levels();
  if (level) spdlog::set_level(parse_level(*level));
}

void log_info(std::string_view message) { spdlog::info("{}", printable(message)); }
void log_warning(std::string_view message) { spdlog::warn("{}", printable(message)); }

Color parse_color(const std::optional<std::string>& word) {
  if (!word || *word == "auto") return Color::automatic;
  if (*word == "always") return Color::always;
  if (*word == "never") return Color::never;
  throw UsageError("--color is '" + *word + "'; known: auto, always, never");
}

bool is_colored(Color color, int descriptor) {
  if (color != Color::automatic) return color == Color::always;
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  return isatty(descriptor) == 1 && term != nullptr && std::strcmp(term, "dumb") != 0;
}

}  // namespace gdsim::cli
