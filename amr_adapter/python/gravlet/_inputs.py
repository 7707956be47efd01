# SPDX-License-Identifier: Apache-2.0
"""What callers give, as arrays of real numbers that gravlet takes. What NumPy would drop without a word (units, masks, imaginary
parts) is refused, with the array's name."""

import numpy as np

from gravlet._gravlet import InputError

_PLAIN = {float, int, bool, np.float64}
_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
# How packages write that a number has no unit. Others are dimensionless with a factor, such as percent or kpc/pc.
_NO_UNIT = {"", "1", "dimensionless", "NoUnit()"}


def _unit_of(values):
    """The unit of a quantity of unyt, astropy, pint or pynbody, as text; empty: none."""
    if hasattr(values, "attrs"):  # xarray's and pandas', whose other attributes may be notes and columns
        values = getattr(values, "data", None) if hasattr(values, "dims") else None
    for attribute in ("units", "unit"):
        unit = getattr(values, attribute, None)
        if unit is not None:
            return "" if str(unit) in _NO_UNIT else str(unit)
    return ""


def _numbers_of(values, name, unit):
    """How its package makes plain numbers of a quantity, as words to add."""
    name = name.split()[0]
    if hasattr(values, "to_value"):
        return f', as {name}.to_value("{unit}")'
    if hasattr(values, "quantity"):  # a column of an astropy table
        return f', as {name}.quantity.to_value("{unit}")'
    if hasattr(values, "dimensionality"):
        return f', as {name}.to("{unit}").magnitude'
    if hasattr(values, "in_units"):
        return f', as {name}.in_units("{unit}").view(numpy.ndarray)'
    return ""


def refuse_hidden(values, name):
    """Throws where values have a unit, or a mask that hides some of them, by themselves or in lists."""
    if type(values) is np.ndarray or type(values) in _PLAIN:
        return
    if isinstance(values, (list, tuple)):
        if not _PLAIN.issuperset(map(type, values)):
            for number, one in enumerate(values):
                if type(one) not in _PLAIN:
                    refuse_hidden(one, name if isinstance(one, (list, tuple)) else f"element {number} of {name}")
        return
    if unit := _unit_of(values):
        raise InputError(f"{name} has the unit {unit}: gravlet takes plain numbers in consistent units"
                         f"{_numbers_of(values, name, unit)}, with G in these units")
    mask = getattr(values, "mask", None)
    if isinstance(mask, (bool, np.bool_, np.ndarray)) and np.asarray(mask).dtype == bool and np.any(mask):
        first = [int(i) for i in np.argwhere(mask)[0]] if np.ndim(mask) else "all of it"
        raise InputError(f"{name} is masked, first at {first}: gravlet takes no masks, but what is not masked")


def is_on_device(values):
    return hasattr(values, "__cuda_array_interface__")


def dtype_of(array):
    return np.dtype(array.__cuda_array_interface__["typestr"]) if is_on_device(array) else array.dtype


def package_of(array):
    """The functions for arrays in this memory: numpy, or cupy."""
    if not is_on_device(array):
        return np
    import cupy

    return cupy


def any_array(values, name):
    """NumPy's array of what is given, of any type."""
    if values is None:
        raise InputError(f"{name} is None: numbers are wanted")
    refuse_hidden(values, name)
    try:
        return np.asarray(values.magnitude if hasattr(values, "dimensionality") else values)  # pint's warns of each conversion
    except Exception as error:  # whatever the object's own conversion raises
        raise InputError(f"{name} is no array of numbers: {error}") from None


def real_array(values, name, dimensions):
    """An array of float32 or float64 in this machine's order of bytes, aligned, of any strides: others are copied. `dimensions`:
    how many there may be, the usual ones last."""
    if type(values) is np.ndarray and values.dtype in _FLOATS and values.ndim in dimensions and values.flags.aligned:
        return values
    if is_on_device(values):
        refuse_hidden(values, name)
        return values
    array = any_array(values, name)
    kind, size = array.dtype.kind, array.dtype.itemsize
    if array.dtype.names:
        raise InputError(f"{name} has the fields {', '.join(array.dtype.names)}: arrays of numbers are wanted, such as one field")
    if kind in "iub" or (kind == "f" and size == 2):
        array = array.astype(np.float64)
    elif kind == "f" and size in (4, 8):
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
    else:
        raise InputError(f"{name} is of type {array.dtype}: float64 or float32 is wanted")
    if array.ndim not in dimensions:
        raise InputError(f"{name} has {array.ndim} dimensions: {dimensions[-1]} wanted")
    return np.require(array, requirements="A")


def number(values, name):
    """One number, as a float."""
    array = real_array(values, name, (0, 1))
    if array.ndim > 0:
        raise InputError(f"{name} has {len(array)} numbers: one is wanted")
    return float(array)


def three(values, name, cube=False):
    """Three numbers; of one three times that, if `cube`."""
    if type(values) is tuple and list(map(type, values)) == [float, float, float]:
        return values  # as most blocks have them
    array = real_array(values, name, (0, 1))
    if array.shape != (3,) and not (cube and array.ndim == 0):
        raise InputError(f"{name} has {array.size} numbers: {'one or three are' if cube else 'three are'} wanted")
    return tuple(map(float, np.broadcast_to(array, 3)))


def three_counts(values, name):
    """Three integers."""
    if type(values) is tuple and list(map(type, values)) == [int, int, int]:
        return values
    array = any_array(values, name)
    if array.dtype.kind not in "iu" or array.shape != (3,):
        raise InputError(f"{name} is {values!r}: three integers are wanted")
    return tuple(map(int, array))


def flags(values, name, n=None):
    """Flags as bytes: what is not 0 is active, or has changed. `n`: of one flag, so many."""
    if values is None:
        return None
    array = any_array(values, name)
    if array.dtype.kind not in "iub":
        raise InputError(f"{name} is of type {array.dtype}: bool or uint8 is wanted")
    if array.ndim == 0 and n is not None:
        array = np.broadcast_to(array, n)
    return np.ascontiguousarray(array != 0)


def classes(values, name, n):
    """Classes as bytes, of one class `n`; which there are, the library says."""
    if values is None:
        return None
    array = any_array(values, name)
    if array.dtype.kind not in "iu" or (array.size > 0 and not 0 <= array.min() <= array.max() <= 255):
        raise InputError(f"{name}: integers from 0 to 7 are wanted")
    return np.ascontiguousarray(np.broadcast_to(array, n) if array.ndim == 0 else array, np.uint8)
