"""Small files that ask for much: each function gives the bytes of one."""
import struct


def lgp_of_one_place(names, size):
    """An LGP whose entries all are the same `size` bytes; names are four letters."""
    rows = []
    at = 16 + 27 * names + 3600 + 2
    slots = [[0, 0] for _ in range(900)]
    for i in range(names):
        name = ''.join(chr(97 + i // 26 ** k % 26) for k in (3, 2, 1, 0))
        slot = slots[(ord(name[0]) - 97) * 30 + ord(name[1]) - 96]
        slot[0] = slot[0] or i + 1
        slot[1] += 1
        rows.append(struct.pack('<20sIBH', name.encode(), at, 14, 0))
    return (b'\0\0SQUARESOFT' + struct.pack('<I', names) + b''.join(rows) + b''.join(struct.pack('<HH', *s) for s in slots) + bytes(2)
            + struct.pack('<20sI', b'aaaa', size) + bytes(size))
