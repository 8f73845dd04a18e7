#include <gdsim/calibrate/time_model.hpp>

#include <gdsim/base/check.hpp>

#include <nlopt.h>

#include <exception>
#include <memory>
#include <optional>

namespace gdsim {
namespace {

struct Destroy {
  void operator()(nlopt_opt_s* opt) const { nlopt_destroy(opt); }
};

/// The context passed through the C interface, and the best point so far.
struct Search {
  const Objective& objective;
  nlopt_opt opt = nullptr;
  Place best;
  std::optional<double> least;
  std::exception_ptr thrown;
};

double evaluate(unsigned count, const double* place, double*, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (search.thrown) return 0;
  try {
    const Place here(place, place + count);
    const double value = search.objective(here);
    if (!search.least || value < *search.least) {
      search.least = value;
      search.best = here;
    }
    return value;
  } catch (...) {  // an exception must not propagate through C
    search.thrown = std::current_exception();
    nlopt_force_stop(search.opt);
    return 0;
  }
}

Place run(nlopt_algorithm algorithm, const Objective& objective, Place start, std::size_t evaluations) {
  constexpr double smallest_step = 1e-6;
  const std::unique_ptr<nlopt_opt_s, Destroy> opt(nlopt_create(algorithm, static_cast<unsigned>(start.size())));
  GDSIM_CHECK(opt != nullptr, "NLopt has no memory");
  Search search{objective, opt.get(), start, {}, {}};
  nlopt_set_lower_bounds1(opt.get(), 0);
  nlopt_set_upper_bounds1(opt.get(), 1);
  nlopt_set_min_objective(opt.get(), evaluate, &search);
  nlopt_set_maxeval(opt.get(), static_cast<int>(evaluations));
  nlopt_set_xtol_abs1(opt.get(), smallest_step);
  double value = 0;
  nlopt_optimize(opt.get(), start.data(), &value);
  if (search.thrown) std::rethrow_exception(search.thrown);
  return search.best;
}

}  // namespace

Place search_everywhere(const Objective& objective, std::size_t dimensions, std::size_t evaluations) {
  return run(NLOPT_GN_DIRECT_L, objective, Place(dimensions, 0.5), evaluations);
}

Place search_nearby(const Objective& objective, const Place& start, std::size_t evaluations) {
  return run(NLOPT_LN_SBPLX, objective, start, evaluations);
}

}  // namespace gdsim
