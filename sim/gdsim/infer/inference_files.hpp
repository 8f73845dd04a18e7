#pragma once

#include <gdsim/infer/inference.hpp>
#include <gdsim/report/sink.hpp>

#include <string>

namespace gdsim {

/// For a person: the sentence, the results for parts, a table of the best rules, times, and the assumptions.
std::string inference_text(const Inference& inference);
/// `{candidates: [{rules, launches_exact, launches, share, chance, ...}], verdict, sentence, ...}`.
void write_inference_json(const Inference& inference, Sink& sink);
/// A row per candidate.
void write_inference_csv(const Inference& inference, Sink& sink);

}  // namespace gdsim
