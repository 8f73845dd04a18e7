"""Workloads without YAML: devices, kernels and launches as objects.

    gemm = gdsim.Kernel("gemm", global_size=2**20, local=256, sub_group=32, registers=72,
                        program=[gdsim.memory("4 KiB"), gdsim.issue(fp32=256), gdsim.barrier()])
    run = gdsim.run(gdsim.Workload("One kernel", "a100-80gb", [gemm], [gdsim.Launch(gemm)]))

Other keywords are keys of the scenario file: `gdsim help scenario` says what they mean, and an unknown one raises the
same error as in a file.
"""

from __future__ import annotations

import numbers
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from ._errors import Error

Step = Union[str, Mapping[str, Any]]
"""A step of a program, as `compute("10 us")` makes it, or as a scenario file has it."""


def _given(**keys: Any) -> Dict[str, Any]:
    return {name: value for name, value in keys.items() if value is not None}


def compute(time: str) -> Step:
    """Is busy: "10 us", "200 cycles"."""
    return {"compute": time}


def issue(cycles: Optional[str] = None, **kinds: Union[int, str]) -> Step:
    """Issues instructions: `issue(fp32=1024)`, `issue(mma="m16n8k16 bf16", count=64)`, `issue("32 cycles")`."""
    if (cycles is None) == (not kinds):
        raise Error("issue needs instructions by kinds, as in issue(fp32=1024), or cycles, as in issue('32 cycles')")
    return {"issue": cycles if cycles is not None else dict(kinds)}


def memory(
    amount: Union[None, int, str] = None,
    asynchronous: bool = False,
    multicast: Union[None, int, str] = None,
    **keys: Any,
) -> Step:
    """Moves bytes; asynchronous ones are waited for by `wait_memory()`, and may serve several work-groups at once.

    Or elements: `memory(elements=4, element="8 B", stride=16)`.
    """
    return {"memory": _moved(amount, asynchronous=asynchronous or None, multicast=multicast, **keys)}


def store(amount: Union[None, int, str] = None, **keys: Any) -> Step:
    """Writes bytes, or elements, and goes on at once; a `fence()` and the end of the launch wait for them."""
    return {"store": _moved(amount, **keys)}


def _moved(amount: Union[None, int, str], **keys: Any) -> Any:
    moved = _given(bytes=_bytes(amount), **keys)
    return moved["bytes"] if list(moved) == ["bytes"] else moved


def wait_memory(outstanding: Union[None, int, str] = None) -> Step:
    """Waits until no more than so many asynchronous loads are left, by default none."""
    return "wait_memory" if outstanding is None else {"wait_memory": {"outstanding": outstanding}}


def slm(**keys: Any) -> Step:
    """Accesses shared local memory: `slm(accesses=8, stride=4)`."""
    return {"slm": keys}


def atomic(accesses: Union[int, str], addresses: Union[int, str], space: str = "global", type: str = "int") -> Step:
    """Makes atomic accesses; those of one address follow each other. `type="float"` adds floating-point numbers."""
    keys = {"accesses": accesses, "addresses": addresses, "space": space}
    return {"atomic": keys if type == "int" else {**keys, "type": type}}


def barrier(name: Optional[str] = None) -> Step:
    """Waits for the whole work-group."""
    return "barrier" if name is None else {"barrier": name}


def signal(name: str, *, initially: Union[None, int, str] = None, index: Union[None, int, str] = None) -> Step:
    """Arrives at a split barrier and goes on; with an index, sets a flag for other work-groups: `index="= group"`."""
    if initially is None and index is None:
        return {"signal": name}
    return {"signal": {"name": name, **_given(initially=initially), **_flag(index)}}


def wait(name: str, *, index: Union[None, int, str] = None) -> Step:
    """Waits at a split barrier; with an index, for a flag of another work-group: `index="= group - 1"`."""
    return {"wait": name if index is None else {"name": name, **_flag(index)}}


def _flag(index: Union[None, int, str]) -> Dict[str, Any]:
    return {} if index is None else {"scope": "launch", "index": index}


def fence() -> Step:
    """Makes what was done in memory visible to all cores."""
    return "fence"


def grid_barrier(cost: Optional[str] = None) -> Step:
    """Waits for all work-groups of the launch, and then for the cost: `grid_barrier("1.2 us")`."""
    return "grid_barrier" if cost is None else {"grid_barrier": cost}


def trigger() -> Step:
    """Lets launches that come after this one `when: triggered` begin before it ends."""
    return "trigger"


def wait_dependencies() -> Step:
    """Waits for the end of the launches on whose trigger this one depends."""
    return "wait_dependencies"


def launch(kernel: Union[str, Kernel], wait: bool = False) -> Step:
    """The work-group launches another kernel, and waits for it if asked to."""
    return {"launch": _given(kernel=_name_of(kernel), wait=wait or None)}


def tiles(list: str, count: Union[int, str], take: str, body: Sequence[Step], **keys: Any) -> Step:
    """Takes tiles from a list until none is left: `tiles("work", 4096, "atomic", [...], cost="40 ns")`."""
    return {"tiles": {"list": list, "count": count, "take": take, **keys, "body": [*body]}}


def loop(count: Union[int, str], body: Sequence[Step]) -> Step:
    """Repeats its body."""
    return {"loop": {"count": count, "body": list(body)}}


def only(threads: Union[int, str], body: Sequence[Step]) -> Step:
    """For some threads of each work-group: "0-3"."""
    return {"only": {"threads": threads, "body": list(body)}}


def _bytes(amount: Any) -> Any:
    return f"{int(amount)} B" if isinstance(amount, numbers.Integral) else amount


class Device:
    """A device: a model by its name, with values of its own in the place of some, `Device("a100-80gb", cores=54)`."""

    def __init__(self, base: Optional[str] = None, **keys: Any) -> None:
        self.base = base
        self.keys = keys

    def to_dict(self) -> Any:
        """As a scenario file has it."""
        return self.base if self.base is not None and not self.keys else {**_given(base=self.base), **self.keys}


_AMOUNTS = ("in_flight", "working_set", "shared_working_set")


class Kernel:
    """A kernel: how much work, what a work-group needs, what each thread does. Plain numbers of memory are bytes."""

    def __init__(
        self,
        name: str,
        *,
        global_size: Any,
        local: Any,
        sub_group: Any = None,
        program: Union[str, Sequence[Step]],
        registers: Any = None,
        slm: Union[None, int, str] = None,
        **keys: Any,
    ) -> None:
        self.name = name
        self.global_size = global_size
        self.local = local
        self.sub_group = sub_group
        self.program = program
        self.registers = registers
        self.slm = slm
        self.keys = keys

    def to_dict(self) -> Dict[str, Any]:
        """As a scenario file has it, below its name."""
        program = self.program if isinstance(self.program, str) else list(self.program)
        own = {"global": self.global_size, "local": self.local}
        needs = _given(sub_group=self.sub_group, registers=self.registers, slm=_bytes(self.slm))
        others = {name: _bytes(value) if name in _AMOUNTS else value for name, value in self.keys.items()}
        return {**own, **needs, **others, "program": program}


def _name_of(one: Any) -> Any:
    """Of an object of this module, its name; else what was given."""
    return one.name if isinstance(one, (Kernel, Launch)) else one


def _names_of(some: Any) -> List[Any]:
    return [_name_of(one) for one in (some if isinstance(some, (list, tuple)) else [some])]


class Launch:
    """A launch of a kernel, behind others, in a queue. Launches that others name need a name."""

    def __init__(
        self,
        kernel: Union[Kernel, str],
        *,
        name: Optional[str] = None,
        after: Any = None,
        wait: Any = None,
        queue: Optional[str] = None,
        **keys: Any,
    ) -> None:
        self.kernel = kernel
        self.name = name
        self.after = after
        self.wait = wait
        self.queue = queue
        self.keys = keys

    def to_dict(self) -> Dict[str, Any]:
        """As a scenario file has it."""
        order = _given(
            name=self.name,
            queue=self.queue,
            after=None if self.after is None else _required(_names_of(self.after)),
            wait=None if self.wait is None else _required(_names_of(self.wait)),
        )
        return {"kernel": _name_of(self.kernel), **order, **self.keys}


def _required(names: List[Any]) -> List[Any]:
    if any(name is None for name in names):
        raise Error("a launch that another one waits for needs a name: Launch(kernel, name='first')")
    return names


class Copy(Launch):
    """A copy between host and device: `Copy("64 KiB", "host_to_device", writes=["a"])`."""

    def __init__(self, amount: Union[int, str], direction: str, **keys: Any) -> None:
        super().__init__("", **keys)
        self.amount = amount
        self.direction = direction

    def to_dict(self) -> Dict[str, Any]:
        """As a scenario file has it."""
        keys = super().to_dict()
        del keys["kernel"]
        return {"copy": {"bytes": _bytes(self.amount), "direction": self.direction}, **keys}


class Workload:
    """Kernels and launches on a device: what `gdsim.run()` and the others take."""

    def __init__(
        self,
        title: str,
        device: Union[Device, str],
        kernels: Iterable[Kernel],
        launches: Iterable[Launch],
        **keys: Any,
    ) -> None:
        self.title = title
        self.device = device
        self.kernels = list(kernels)
        self.launches = list(launches)
        self.keys = keys

    def to_dict(self) -> Dict[str, Any]:
        """As a scenario file has it."""
        kernels: Dict[str, Any] = {}
        for kernel in self.kernels:
            if kernel.name in kernels:
                raise Error(f"two kernels are called {kernel.name!r}")
            kernels[kernel.name] = kernel.to_dict()
        device = self.device.to_dict() if isinstance(self.device, Device) else self.device
        launches = [launch.to_dict() for launch in self.launches]
        return {"scenario": self.title, "device": device, **self.keys, "kernels": kernels, "launches": launches}
