#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/html/served_page.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// A run as one HTML page that needs nothing else: pictures as SVG, tables, the scenario; with JavaScript, zoom and
/// exact values under the pointer. It makes no network request, and forbids them, but to the server that it is
/// written for, if it is `served`.
void write_html_report(const RunView& view, Sink& sink, const ServedPage* served = nullptr);

}  // namespace gdsim
