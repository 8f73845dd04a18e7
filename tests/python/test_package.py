"""The package has types, says what it has, and knows where its models are."""

import ast
import inspect
from pathlib import Path

import gdsim

PACKAGE = Path(gdsim.__file__).resolve().parent


def test_the_stub_of_the_module_names_exactly_what_the_module_has():
    stub = ast.parse((PACKAGE / "_core.pyi").read_text())
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)} - {"__init__"}
            assert methods == {name for name in vars(getattr(gdsim._core, node.name)) if not name.startswith("_")}
    functions = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert functions | {"version"} == {name for name in vars(gdsim._core) if not name.startswith("_")}


def test_every_function_and_method_has_types_and_says_what_it_does():
    count = 0
    for name in gdsim.__all__:
        thing = getattr(gdsim, name)
        assert thing.__doc__, name
        functions = [thing] if inspect.isfunction(thing) else [
            one for key, one in vars(thing).items() if inspect.isfunction(one) and (not key.startswith("_") or key == "__init__")]
        for function in functions:
            signature = inspect.signature(function)
            for parameter in signature.parameters.values():
                if parameter.name not in ("self", "cls"):
                    assert parameter.annotation is not inspect.Parameter.empty, (name, function.__name__, parameter.name)
            if function.__name__ not in ("__new__",):
                assert signature.return_annotation is not inspect.Signature.empty, (name, function.__name__)
            count += 1
    assert count > 30 and (PACKAGE / "py.typed").exists()


def test_all_that_is_listed_is_there_and_nothing_else_is_public():
    assert gdsim.__all__ == sorted(gdsim.__all__)
    public = {name for name, thing in vars(gdsim).items() if not name.startswith("_") and not inspect.ismodule(thing)}
    assert public == set(gdsim.__all__)


def test_the_version_is_that_of_the_program():
    from conftest import program

    assert program("--version").split()[1] == gdsim.__version__
