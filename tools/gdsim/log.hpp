#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// Whether to colour what goes to a terminal.
enum class Color { automatic, always, never };

/// Sends the log to standard error. `level` wins over SPDLOG_LEVEL; throws UsageError if it is no level.
void set_up_log(const std::optional<std::string>& level, Color color);

void log_info(std::string_view message);
void log_warning(std::string_view message);

/// `auto`, `always`, `never`; throws UsageError otherwise.
Color parse_color(const std::optional<std::string>& word);

/// True if output to this file descriptor should be coloured: the flag first, then NO_COLOR, then
/// whether it is a terminal that can.
bool is_colored(Color color, int descriptor);

}  // namespace gdsim::cli
