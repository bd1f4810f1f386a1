"""Finds the classes of a folder by their names: an algorithm is in the table as soon as its file exists."""

import importlib
import pkgutil


def classes_by_name(package, path, base):
    """Every subclass of `base` in the modules of a package that defines its own `name`."""
    found = {}
    for module in pkgutil.iter_modules(path):
        for value in vars(importlib.import_module(f"{package}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, base) and "name" in vars(value):
                if found.setdefault(value.name, value) is not value:
                    raise ValueError(f"{found[value.name]} and {value} have the same name")
    return found
