"""gdsim.prune() in the places where tuners ask which configurations to measure: Triton, Kernel Tuner."""

from __future__ import annotations

import itertools
import json
import os
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from ._errors import Error
from ._prune import Kernel, predict, prune
from ._values import text_of


def triton_pruner(
    kernel: Kernel,
    device: Optional[str] = None,
    keep: Union[int, float] = 0.4,
    *,
    values: Optional[Callable[[Mapping[str, Any]], Mapping[str, Any]]] = None,
    models: Any = None,
) -> Dict[str, Callable[..., List[Any]]]:
    """What `triton.autotune(configs=..., key=..., prune_configs_by=...)` takes.

    `kernel` and `values` are those of `gdsim.prune`. Where they are functions, they are given one dict: the kernel's
    arguments, and the meta-parameters of the configuration with `num_warps` and so on. For a scenario without
    `values`, the meta-parameters are its parameters. A function can compile: `fn.warmup(...)` returns what has
    `.asm["ptx"]`, `.asm["cubin"]` and `.metadata.shared`.
    """

    def early_config_prune(configs: Sequence[Any], named_args: Mapping[str, Any], **kwargs: Any) -> List[Any]:
        known = [{**named_args, **kwargs, **_all_kwargs(config)} for config in configs]
        of_scenario = values or (lambda all_values: {name: all_values[name] for name in configs[0].kwargs})
        numbers = prune(
            range(len(configs)),
            (lambda number: kernel(known[number])) if _is_function(kernel) else kernel,
            device,
            keep,
            values=None if _is_function(kernel) else lambda number: of_scenario(known[number]),
            models=models,
        )
        return [configs[number] for number in numbers]

    return {"early_config_prune": early_config_prune}


def _is_function(kernel: Any) -> bool:
    return callable(kernel) and not hasattr(kernel, "to_dict")


def _all_kwargs(config: Any) -> Dict[str, Any]:
    if hasattr(config, "all_kwargs"):
        return config.all_kwargs()
    return {**config.kwargs, "num_warps": config.num_warps, "num_stages": config.num_stages}


Restrictions = Union[None, Callable[[Dict[str, Any]], Any], Sequence[Union[str, Callable[[Dict[str, Any]], Any]]]]


def kernel_tuner_restrictions(
    tune_params: Mapping[str, Iterable[Any]],
    kernel: Kernel,
    device: Optional[str] = None,
    keep: Union[int, float] = 0.4,
    *,
    restrictions: Restrictions = None,
    values: Optional[Callable[[Dict[str, Any]], Mapping[str, Any]]] = None,
    models: Any = None,
) -> Callable[[Mapping[str, Any]], bool]:
    """What `kernel_tuner.tune_kernel(..., tune_params, restrictions=...)` takes: only what `gdsim.prune` keeps.

    `restrictions` are your own, of which Kernel Tuner takes no second kind: a function of a dict of parameters, or a
    list of such functions and of expressions.
    """
    names = list(tune_params)
    kept = {
        tuple(config[name] for name in names)
        for config in prune(_space(tune_params, restrictions), kernel, device, keep, values=values, models=models)
    }

    # A lambda would be parsed from its source, and more than one parameter would get the values one by one.
    def is_kept(params: Any) -> bool:
        given = params if isinstance(params, Mapping) else {names[0]: params}  # of one parameter, its value
        return tuple(given[name] for name in names) in kept

    return is_kept


def kernel_tuner_cache(
    file: Union[str, "os.PathLike[str]"],
    tune_params: Mapping[str, Iterable[Any]],
    kernel: Kernel,
    device: Optional[str] = None,
    *,
    kernel_name: str,
    problem_size: Any,
    restrictions: Restrictions = None,
    values: Optional[Callable[[Dict[str, Any]], Mapping[str, Any]]] = None,
    models: Any = None,
) -> int:
    """Writes predicted times as a cache for `kernel_tuner.tune_kernel(..., cache=file, simulation_mode=True)`.

    A search then costs no GPU. Times are in milliseconds. Configurations that the device refuses are `InvalidConfig`,
    those without a prediction `RuntimeFailedConfig`. Returns the number of configurations with a time. Raises Error if
    the file is there already.
    """
    names = list(tune_params)
    configs = _space(tune_params, restrictions)
    predictions = predict(configs, kernel, device, values=values, models=models)
    keys = [",".join(str(config[name]) for name in names) for config in configs]
    rows = {key: _row(config, prediction) for key, config, prediction in zip(keys, configs, predictions)}
    size = problem_size if isinstance(problem_size, int) else list(problem_size)
    whole = {
        "device_name": text_of(device) if device is not None else "gdsim",
        "kernel_name": kernel_name,
        "problem_size": size,
        "tune_params_keys": names,
        "tune_params": {name: list(tune_params[name]) for name in names},
        "objective": "time",
        "cache": rows,
    }
    text = json.dumps(whole, indent=1, default=lambda value: value.item())  # NumPy's numbers
    try:
        with open(file, "x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise Error(f"{os.fspath(file)} is there, and may hold measured times; name another file") from None
    return sum(isinstance(time, float) for time in predictions)


def _row(config: Dict[str, Any], prediction: Any) -> Dict[str, Any]:
    row = dict(config)
    if isinstance(prediction, float):
        row["time"] = prediction / 1e6
        row["times"] = [row["time"]]
    else:
        row["time"] = row["__error__"] = "InvalidConfig" if type(prediction).__name__ == "Refused" else "RuntimeFailedConfig"
    row.update(compile_time=0, verification_time=0, benchmark_time=0, strategy_time=0, framework_time=0)
    return row


def _space(tune_params: Mapping[str, Iterable[Any]], restrictions: Restrictions) -> List[Dict[str, Any]]:
    """Every combination of the parameters that meets the restrictions, in Kernel Tuner's order."""
    names = list(tune_params)
    all_values = [list(tune_params[name]) for name in names]
    own = [] if restrictions is None else [restrictions] if callable(restrictions) else list(restrictions)
    space = [dict(zip(names, combination)) for combination in itertools.product(*all_values)]
    space = [config for config in space if all(_meets(config, one) for one in own)]
    if not space:
        raise Error("no combination of tune_params meets the restrictions")
    return space


def _meets(config: Dict[str, Any], restriction: Any) -> bool:
    if callable(restriction):
        return bool(restriction(config))
    # Kernel Tuner evaluates these expressions of the user's own program likewise.
    return bool(eval(restriction, {"__builtins__": {}}, dict(config)))  # noqa: S307
