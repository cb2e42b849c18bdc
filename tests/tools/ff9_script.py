"""Writes event scripts of Final Fantasy IX for tests, after docs/formats/ff9_script.md. Python 3 standard library only."""
import struct

SIGNS = {'+': 0x0A, '-': 0x0B, '=': 0x0C, '*': 0x0D, '%': 0x0E, ' ': 0x0F, '(': 0x2A, '!': 0x2B, '?': 0x2C, '"': 0x2D, ':': 0x2E, '.': 0x2F,
         ')': 0x4A, ',': 0x4B, '/': 0x4C, '~': 0x4E, '&': 0x4F, "'": 0x7E}


def letters(text):
    """a text in the game's encoding, without its end"""
    code = lambda c: SIGNS[c] if c in SIGNS else ord(c) - 48 if c.isdigit() else ord(c) - 65 + 0x10 if c.isupper() else ord(c) - 97 + 0x30
    return bytes(map(code, text))


# ------------------------------------------------------------------ instructions
def op(number, *operands, flags=0):
    """operands: (bytes, value); or unchanged bytes for an expression, whose bit of the flags is set"""
    head = bytes([number]) if number < 0xFF else bytes([0xFF, number - 0x100])
    data = b''
    for i, operand in enumerate(operands):
        if isinstance(operand, bytes):
            flags |= 1 << i
            data += operand
        else:
            data += operand[1].to_bytes(operand[0], 'little')
    return head + (bytes([flags]) if number >= 0x10 and operands else b'') + data


model = lambda number: op(0x2F, (2, number), (1, 93))
stand = lambda number: op(0x33, (2, number))
walk = lambda number: op(0x34, (2, number))
run = lambda number: op(0x35, (2, number))
play = lambda number: op(0x40, (2, number))
turn_left = lambda number: op(0x7A, (2, number))
turn_right = lambda number: op(0x7B, (2, number))
sleep = lambda number: op(0x52, (2, number))
jump = lambda number: op(0x94, (2, number), (1, 1), (1, 4))
play_on = lambda uid, number: op(0xBD, (1, uid), (2, number))
create = lambda entry, uid=0: op(0x09, (1, entry), (1, uid))
run_entry = lambda entry: op(0x43, (1, entry))
leave = b'\x04'
goto = lambda distance: b'\x01' + struct.pack('<h', distance)
# every kind of token: a constant, a long one, variables of both lengths, one with a byte, an operator, the end
EXPRESSION = bytes([0x7D, 0x7F, 0x7F, 0x7E, 1, 2, 0x7F, 4, 0xC4, 0x7F, 0xE5, 0x7F, 0x33, 0x29, 0x7F, 0x14, 0x7F])
expression = b'\x05' + EXPRESSION
# their jump targets look like instructions that name models
switches = (b'\x06' + struct.pack('<BH4H', 2, 0x2F, 1, 0x2F00, 2, 0x002F) + b'\x0B' + struct.pack('<BHH3H', 3, 0, 0x2F, 0x33, 0x2F00, 0x34) +
            b'\x0D' + struct.pack('<HHH2H', 2, 0, 0, 0x2F00, 0x2F))
region = b'\x29' + bytes([0, 3]) + struct.pack('<6h', 0x2F, 0x2F2F, -1, 5, 0x33, 0x2F)
wide = op(0x111, (1, 0x2F), (1, 0x2F), (1, 0x33))


def entry(*functions, kind=2):
    """functions: code"""
    at, table, code = 4 * len(functions), b'', b''
    for tag, function in enumerate(functions):
        table += struct.pack('<HH', tag, at + len(code))
        code += function
    return struct.pack('<BB', kind, len(functions)) + table + code


def script(*entries, place='Dali/Inn'):
    """entries: bytes, or None for a slot that is not used"""
    head = b'EV' + bytes([2, len(entries)]) + bytes(40) + (letters(place) + b'\xFF').ljust(84, b'\xFF')
    table, data = b'', b''
    for body in entries:
        table += struct.pack('<HHBBH', 8 * len(entries) + len(data) if body else 0, len(body or b''), 3, 0, 0)
        data += body or b''
    return head + table + data + bytes(-len(data) % 4)
