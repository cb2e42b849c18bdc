"""FBX files, as text and as binary. A node is (name, values, nodes below it)."""
import struct


class Number(int):
    """of an object, 64 bits"""


def named(kind, name):
    """the name of an object; see as_text"""
    return name + '\0\1' + kind


def properties(*rows):
    return ('Properties70', [], [('P', list(row), []) for row in rows])


def as_text(nodes, indent=0):
    rows = []
    for name, values, below in nodes:
        told = []
        for value in values:
            if isinstance(value, list):
                told.append('*%d {\n%sa: %s\n%s}' % (len(value), ' ' * indent, ','.join(map(repr, value)), ' ' * indent))
            elif isinstance(value, str):
                told.append('"%s"' % '::'.join(reversed(value.split('\0\1'))))
            else:
                told.append(repr(value))
        rows.append(' ' * indent + name + ': ' + ', '.join(told))
        if below:
            rows[-1] += ' {\n%s%s}' % (as_text(below, indent + 1), ' ' * indent)
    return ('; FBX 7.4.0 project file\n' if indent == 0 else '') + '\n'.join(rows) + '\n'


def _value(value):
    if isinstance(value, str):
        data = value.encode()
        return struct.pack('<cI', b'S', len(data)) + data
    if isinstance(value, list):
        kind = 'i' if isinstance(value[0], int) else 'd'
        return struct.pack('<cIII%d%s' % (len(value), kind), kind.encode(), len(value), 0, struct.calcsize('<%d%s' % (len(value), kind)), *value)
    return struct.pack(*(('<cq', b'L') if isinstance(value, Number) else ('<ci', b'I') if isinstance(value, int) else ('<cd', b'D')), value)


def _nodes(nodes, begin):
    data = b''
    for name, values, below in nodes:
        told = b''.join(map(_value, values))
        head = 13 + len(name)
        inside = _nodes(below, begin + len(data) + head + len(told)) if below else b''
        data += struct.pack('<IIIB', begin + len(data) + head + len(told) + len(inside), len(values), len(told), len(name)) + name.encode() + told + inside
    return data + bytes(13)


def as_binary(nodes):
    head = b'Kaydara FBX Binary  \0\x1a\0' + struct.pack('<I', 7400)
    return head + _nodes(nodes, len(head))
