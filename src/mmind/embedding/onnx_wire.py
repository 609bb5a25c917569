"""The few fields of the ONNX file format that we read and write, without the `onnx` package.

ONNX is protobuf (onnx.proto3 names the fields): a record is a row of (field number, wire type) keys with a varint, a
fixed number or a length-prefixed block each. We read the named tensors of a file and write small graphs.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Tensors = Mapping[str, NDArray[Any]]

MODEL_IR_VERSION, MODEL_GRAPH, MODEL_OPSET = 1, 7, 8
GRAPH_NODE, GRAPH_NAME, GRAPH_TENSOR, GRAPH_INPUT, GRAPH_OUTPUT = 1, 2, 5, 11, 12
NODE_INPUT, NODE_OUTPUT, NODE_NAME, NODE_KIND, NODE_ATTRIBUTE, NODE_DOMAIN = 1, 2, 3, 4, 5, 7
TENSOR_SHAPE, TENSOR_TYPE, TENSOR_NAME, TENSOR_BYTES = 1, 2, 8, 9
ELEMENT_TYPES = {1: "<f4", 3: "|i1", 7: "<i8"}  # TensorProto.DataType -> numpy's name, little endian by the format

_VARINT, _FIXED64, _BLOCK, _FIXED32 = 0, 1, 2, 5


def read_tensors(path: Path) -> Tensors:
    """The float32, int8 and int64 initialisers of an ONNX file by name, as read-only views of the mapped file.

    Tensors of other types or kept outside the file are left out. Raises ValueError when the file is not ONNX, OSError
    when it cannot be read.
    """
    with path.open("rb") as file:
        if path.stat().st_size == 0:
            raise ValueError("an empty file")
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    tensors = {}
    for number, graph in _blocks(data, 0, len(data)):
        if number == MODEL_GRAPH:
            for part, tensor in _blocks(data, *graph):
                if part == GRAPH_TENSOR and (named := _tensor(data, *tensor)):
                    tensors[named[0]] = named[1]
    return tensors


def _tensor(data: mmap.mmap, start: int, end: int) -> tuple[str, NDArray[Any]] | None:
    import numpy as np

    shape: list[int] = []
    kind, name, content = 0, "", None
    for number, value in _records(data, start, end):
        if number == TENSOR_SHAPE:
            shape.extend([value] if isinstance(value, int) else _packed(data, *value))
        elif number == TENSOR_TYPE and isinstance(value, int):
            kind = value
        elif number == TENSOR_NAME and not isinstance(value, int):
            name = data[slice(*value)].decode()
        elif number == TENSOR_BYTES and not isinstance(value, int):
            content = value
    if content is None or kind not in ELEMENT_TYPES:
        return None
    element = np.dtype(ELEMENT_TYPES[kind])
    flat = np.frombuffer(data, element, (content[1] - content[0]) // element.itemsize, content[0])
    return name, flat.reshape(shape)


def _blocks(data: mmap.mmap, start: int, end: int) -> Iterator[tuple[int, tuple[int, int]]]:
    return ((number, value) for number, value in _records(data, start, end) if not isinstance(value, int))


def _records(data: mmap.mmap, start: int, end: int) -> Iterator[tuple[int, int | tuple[int, int]]]:
    """Each field's number with its varint, or with (start, end) of its block; fixed-width numbers are passed over."""
    at = start
    while at < end:
        key, at = _read_varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, at = _read_varint(data, at)
            yield number, value
        elif wire == _BLOCK:
            size, at = _read_varint(data, at)
            if size > end - at:
                raise ValueError("a block reaches beyond the end of the file")
            yield number, (at, at + size)
            at += size
        elif wire in (_FIXED32, _FIXED64):
            at += 4 if wire == _FIXED32 else 8
        else:
            raise ValueError("not a protobuf file")


def _packed(data: mmap.mmap, start: int, end: int) -> Iterator[int]:
    at = start
    while at < end:
        value, at = _read_varint(data, at)
        yield value


def _read_varint(data: mmap.mmap, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise ValueError("the file ends in the middle of a number")
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return value, at
    raise ValueError("a number is longer than ten bytes")


@dataclass(slots=True)
class GraphWriter:
    """A graph under construction: constants and nodes get names of their own, and a node's name is its only output."""

    nodes: list[bytes] = field(default_factory=list)
    constants: list[bytes] = field(default_factory=list)

    def constant(self, array: NDArray[Any]) -> str:
        """Keep a float32, int8 or int64 array in the graph; gives its name."""
        name = f"constant_{len(self.constants)}"
        kind = next(kind for kind, element in ELEMENT_TYPES.items() if array.dtype == element)
        shape = b"".join(_number(TENSOR_SHAPE, size) for size in array.shape)
        head = shape + _number(TENSOR_TYPE, kind) + _text(TENSOR_NAME, name)
        self.constants.append(head + _block(TENSOR_BYTES, array.tobytes()))
        return name

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: float | Sequence[int]) -> str:
        """Add an operator; gives the name of its output. An input "" is an optional one that is left out."""
        name = f"node_{len(self.nodes)}"
        body = b"".join(_text(NODE_INPUT, source) for source in inputs)
        body += _text(NODE_OUTPUT, name) + _text(NODE_NAME, name) + _text(NODE_KIND, kind)
        body += b"".join(_block(NODE_ATTRIBUTE, _attribute(key, value)) for key, value in attributes.items())
        self.nodes.append(_block(GRAPH_NODE, body + _text(NODE_DOMAIN, domain)))
        return name

    def model(self, source: tuple[str, int], result: tuple[str, int], operators: Mapping[str, int]) -> bytes:
        """The whole file: float32 input (name, width) with any number of rows, float32 vector (name, width) as output.

        `operators` are the versions of the operator sets by domain.
        """
        rows = _block(1, _text(2, "rows"))
        graph = b"".join(self.nodes) + _text(GRAPH_NAME, "graph")
        graph += b"".join(_block(GRAPH_TENSOR, constant) for constant in self.constants)
        graph += _block(GRAPH_INPUT, _float_value(source[0], rows + _width(source[1])))
        graph += _block(GRAPH_OUTPUT, _float_value(result[0], _width(result[1])))
        sets = (_text(1, domain) + _number(2, version) for domain, version in operators.items())
        head = _number(MODEL_IR_VERSION, 8) + _block(MODEL_GRAPH, graph)
        return head + b"".join(_block(MODEL_OPSET, entry) for entry in sets)


def _attribute(name: str, value: float | Sequence[int]) -> bytes:
    """AttributeProto: 2 is a float, 3 an integer, 8 a list of integers; 20 tells which."""
    if isinstance(value, float):
        return _text(1, name) + _varint(2 << 3 | _FIXED32) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    return _text(1, name) + b"".join(_number(8, one) for one in value) + _number(20, 7)


def _float_value(name: str, shape: bytes) -> bytes:
    tensor = _number(1, 1) + _block(2, shape)
    return _text(1, name) + _block(2, _block(1, tensor))


def _width(size: int) -> bytes:
    return _block(1, _number(1, size))


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers are written as their 64-bit two's complement
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes((*out, value))


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3 | _VARINT) + _varint(value)


def _block(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | _BLOCK) + _varint(len(content)) + content


def _text(number: int, content: str) -> bytes:
    return _block(number, content.encode())
