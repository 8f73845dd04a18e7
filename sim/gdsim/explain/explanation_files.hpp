#pragma once

#include <gdsim/explain/explain.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Returns the three greatest savings as sentences, then a table of all.
std::string explanation_text(const Explanation& explanation);
/// `{baseline_ns, findings: [{what, duration_ns, saves_percent, sentence, declared}], notes}`, and `not_tried` after a
/// stop request.
void write_explanation_json(const Explanation& explanation, Sink& sink);
/// Columns: what, duration_ns, saves_percent, sentence, declared.
void write_explanation_csv(const Explanation& explanation, Sink& sink);
/// Draws the duration of each run as a bar.
void write_explanation_svg(const Explanation& explanation, Sink& sink);
/// Writes a page with the sentences, the bars and the table.
void write_explanation_page(const Explanation& explanation, Sink& sink);

}  // namespace gdsim
