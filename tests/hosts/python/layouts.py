# SPDX-License-Identifier: Apache-2.0
"""The same whole numbers from 0 to 120 in arrays of other types, orders and containers, for test_python_layouts.py: Layout(name,
make, words, dimensions). `words`: what is said of those that are refused, or None. Whole numbers that small are in every type to
the bit."""

import array
import ctypes
import importlib
import tempfile
import warnings
from typing import Any, Callable, NamedTuple, Optional

import numpy as np


class Layout(NamedTuple):
    name: str
    make: Callable[[np.ndarray], Any]
    words: Optional[str] = None
    dimensions: tuple = (1, 2, 3)


def of_type(kind):
    return lambda a: a.astype(kind)


RIGHT_TYPES = ["f8", "f4", "f2", ">f8", ">f4", ">f2", "<f8", "i1", "i2", "i4", "i8", ">i4", ">i8", "u1", "u2", "u4", "u8", ">u2"]
REFUSED_TYPES = ["c8", "c16", ">c16", "g", "O", "U8", "S8", "M8[s]", "m8[s]"]


def every_third(a):
    wide = np.full((*a.shape[:-1], 3 * a.shape[-1]), np.nan)
    wide[..., ::3] = a
    return wide[..., ::3]


def backward(a):
    every = (slice(None, None, -1),) * a.ndim
    return np.ascontiguousarray(a[every])[every]


def other_order(a):
    return np.ascontiguousarray(a.T).T


def columns_of_a_table(a):
    return np.stack([np.full_like(a, np.nan), a, np.full_like(a, np.nan)], axis=-1)[..., 1]


def interior(a):
    wide = np.full([n + 4 for n in a.shape], np.nan)
    inside = wide[(slice(2, -2),) * a.ndim]
    inside[...] = a
    return inside


def misaligned(a, kind="f8"):
    out = np.zeros(a.size * np.dtype(kind).itemsize + 3, "u1")[3:].view(kind).reshape(a.shape)
    out[...] = a
    return out


def field(a, kind="f8", **more):
    record = np.zeros(a.shape, np.dtype([("flag", "u1"), ("value", kind)], **more))
    record["value"] = a
    return record["value"]


def subarray_field(a):
    record = np.zeros(a.shape[0], [("flag", "u1"), ("value", ">f4", a.shape[1:])])
    record["value"] = a
    return record["value"]


def read_only(a):
    out = a.copy()
    out.setflags(write=False)
    return out


def on_disk(a):
    with tempfile.TemporaryFile() as file:
        out = np.memmap(file, float, "w+", shape=a.shape)
    out[...] = a
    return out


def matrix(a):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of NumPy's plans
        return np.asmatrix(a)


def masked(a, kind="f8"):
    return np.ma.masked_equal(a.astype(kind), a.ravel()[-1])


class Subclass(np.ndarray):
    pass


class ByProtocol:
    """An array of another package's, by the one method that NumPy asks of it."""

    def __init__(self, values):
        self._values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._values, dtype)


class ByInterface:
    def __init__(self, values):
        self._values = values
        self.__array_interface__ = values.__array_interface__


class Unit(str):
    """A stand-in for units of unyt, astropy and pint, which are no strings but can be written."""


class OfUnits(ByProtocol):
    """As unyt and pint have quantities."""

    def __init__(self, values, unit):
        super().__init__(values)
        self.units = Unit(unit)


class OfUnit(np.ndarray):
    """As astropy has them."""

    @classmethod
    def make(cls, values, unit):
        out = values.view(cls)
        out.unit = Unit(unit)
        return out


class WithNotes(ByProtocol):
    """As xarray has them: attrs is about the numbers, and can be read as attributes."""

    def __init__(self, values):
        super().__init__(values)
        self.attrs = {"units": "kpc"}
        self.units = "kpc"


def hides_its_mask(a):
    """As astropy has masks: NumPy drops them."""
    out = a.view(Subclass)
    out.mask = a == a.ravel()[-1]
    return out


NUMPY = [
    *(Layout(f"type {kind}", of_type(kind)) for kind in RIGHT_TYPES),
    *(Layout(f"type {kind}", of_type(kind), "is of type") for kind in REFUSED_TYPES),
    Layout("contiguous", np.ascontiguousarray),
    Layout("other order", other_order),
    Layout("other order, floats", lambda a: other_order(a.astype("f4"))),
    Layout("every third", every_third),
    Layout("every third, big-endian", lambda a: every_third(a).astype(">f8")[...]),
    Layout("backward", backward),
    Layout("columns of a table", columns_of_a_table),
    Layout("interior", interior),
    Layout("misaligned", misaligned),
    Layout("misaligned floats", lambda a: misaligned(a, "f4")),
    Layout("misaligned, big-endian", lambda a: misaligned(a, ">f8")),
    Layout("field of packed records", field),
    Layout("field of aligned records", lambda a: field(a, align=True)),
    Layout("big-endian field", lambda a: field(a, ">f8")),
    Layout("integers in a field", lambda a: field(a, "i2")),
    Layout("field of arrays", subarray_field),
    Layout("field of a recarray", lambda a: field(a).view(np.recarray)),
    Layout("read-only", read_only),
    Layout("memmap", on_disk),
    Layout("subclass", lambda a: a.view(Subclass)),
    Layout("mask of nothing", np.ma.array),
    Layout("mask that is False all over", lambda a: np.ma.array(a, mask=np.zeros(a.shape, bool))),
    Layout("by __array__", ByProtocol),
    Layout("by __array_interface__", ByInterface),
    Layout("list", np.ndarray.tolist),
    Layout("list of integers", lambda a: a.astype(int).tolist()),
    Layout("tuple of rows", lambda a: tuple(map(tuple, a)), dimensions=(2,)),
    Layout("tuple", tuple, dimensions=(1,)),
    Layout("list of arrays", list, dimensions=(2, 3)),
    Layout("range-like list of NumPy's numbers", lambda a: [np.float32(x) for x in a], dimensions=(1,)),
    Layout("memoryview", lambda a: memoryview(np.ascontiguousarray(a))),
    Layout("memoryview, backward", lambda a: memoryview(backward(a))),
    Layout("array.array of d", lambda a: array.array("d", a), dimensions=(1,)),
    Layout("array.array of h", lambda a: array.array("h", a.astype(int)), dimensions=(1,)),
    Layout("ctypes", lambda a: (ctypes.c_double * a.size)(*a), dimensions=(1,)),
    Layout("matrix", matrix, dimensions=(2,)),
    Layout("matrix as a vector", matrix, "has 2 dimensions", dimensions=(1,)),
    Layout("one column", lambda a: a[:, None], "has 2 dimensions", dimensions=(1,)),
    Layout("one dimension more", lambda a: a[None], "dimensions", dimensions=(2, 3)),
    Layout("masked", masked, "is masked, first at ["),
    Layout("masked integers", lambda a: masked(a, "i4"), "is masked, first at ["),
    Layout("masked, big-endian", lambda a: masked(a, ">f4"), "is masked, first at ["),
    Layout("masked rows in a list", lambda a: list(masked(a)), "is masked", dimensions=(2,)),
    Layout("masked otherwise", hides_its_mask, "is masked"),
    Layout("units", lambda a: OfUnits(a, "kpc"), "has the unit kpc: gravlet takes plain numbers"),
    Layout("unit", lambda a: OfUnit.make(a, "kpc"), "has the unit kpc: gravlet takes plain numbers"),
    Layout("unit of a view", lambda a: OfUnit.make(every_third(a), "1e3 km"), "has the unit 1e3 km"),
    Layout("percent", lambda a: OfUnits(a, "%"), "has the unit %"),
    Layout("units, dimensionless", lambda a: OfUnits(a, "dimensionless")),
    Layout("unit, dimensionless", lambda a: OfUnit.make(a, "")),
    Layout("notes of units", WithNotes),
    Layout("list of units", lambda a: [OfUnits(x, "pc") for x in a], "has the unit pc"),
    Layout("tuple with one of a unit", lambda a: (*a[:-1], OfUnits(a[-1], "pc")), "has the unit pc", dimensions=(1,)),
    Layout("structured", lambda a: np.zeros(a.shape, [("x", "f8"), ("y", "f8")]), "has the fields x, y"),
    Layout("string", lambda a: "far away", "is of type <U8"),
    Layout("bytes", lambda a: a.tobytes(), "is of type |S"),
    Layout("dictionary", lambda a: {"x": a}, "is of type object"),
    Layout("generator", lambda a: (x for x in a), "is of type object"),
    Layout("ragged", lambda a: [[1.0], [1.0, 2.0]], "is no array of numbers"),
    Layout("complex without imaginary parts", lambda a: a + 0j, "is of type complex128"),
]


def of_package(name, make):
    """A package's layouts, or none where it is not."""
    try:
        return make(importlib.import_module(name))
    except ImportError:
        return None


def unyt(u):
    return [Layout("unyt", lambda a: u.unyt_array(a, "kpc"), "has the unit kpc"),
            Layout("unyt, list", lambda a: [u.unyt_quantity(x, "pc") for x in a], "has the unit pc", (1,)),
            Layout("unyt, of a factor", lambda a: u.unyt_array(a, "kpc/pc"), "has the unit kpc/pc"),
            Layout("unyt, dimensionless", u.unyt_array)]


def astropy(a_):
    u, table, masks = (importlib.import_module(f"astropy.{part}") for part in ("units", "table", "utils.masked"))
    return [Layout("astropy", lambda a: a * u.kpc, 'as {0}.to_value("kpc")'),
            Layout("astropy, percent", lambda a: a * u.percent, "has the unit %"),
            Layout("astropy, dimensionless", lambda a: a * u.dimensionless_unscaled),
            Layout("astropy, column", table.Column),
            Layout("astropy, column with a unit", lambda a: table.Column(a, unit="pc"), 'as {0}.quantity.to_value("pc")'),
            Layout("astropy, masked", lambda a: masks.Masked(a, mask=a == a.ravel()[-1]), "is masked"),
            Layout("astropy, masks nothing", lambda a: masks.Masked(a, mask=False)),
            Layout("astropy, masked column", lambda a: table.MaskedColumn(a, mask=a == a.ravel()[-1]), "is masked")]


def pandas(pd):
    return [Layout("pandas", pd.Series, dimensions=(1,)),
            Layout("pandas, integers", lambda a: pd.Series(a.astype(int)), dimensions=(1,)),
            Layout("pandas, Float64", lambda a: pd.Series(a).astype("Float64").to_numpy("f8"), dimensions=(1,)),
            Layout("pandas, frame", lambda a: pd.DataFrame(a, columns=["unit", "units", "mask"]), dimensions=(2,)),
            Layout("pandas, column called units", lambda a: pd.DataFrame({"units": a, "unit": 1.0}).units, dimensions=(1,)),
            Layout("pandas, objects", lambda a: pd.Series(a.astype(object)), "is of type object", (1,))]


def xarray(xr):
    return [Layout("xarray", lambda a: xr.DataArray(a, attrs={"units": "kpc", "unit": "kpc"})),
            Layout("xarray, transposed", lambda a: xr.DataArray(np.ascontiguousarray(a.T)).transpose()),
            Layout("xarray, data set", lambda a: xr.DataArray(a, name="x").to_dataset(), "is no array of numbers")]


def pint(p):
    quantity = p.UnitRegistry().Quantity
    return [Layout("pint", lambda a: quantity(a, "kpc"), 'as {0}.to("kiloparsec").magnitude'),
            Layout("pint, angles", lambda a: quantity(a, "radian"), "has the unit radian"),
            Layout("pint, dimensionless", lambda a: quantity(a, ""))]


PACKAGES = {make.__name__: make for make in (unyt, astropy, pandas, xarray, pint)}
