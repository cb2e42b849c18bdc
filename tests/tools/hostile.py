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


def lgp_of_one_name(files):
    """An LGP whose entries all are called `aa`; the second half lies in a folder of that name."""
    at = 16 + 27 * files + 3600 + 4 + 130 * (files - files // 2)
    slots = [(1, 0xFFFF)] * 900
    rows = [struct.pack('<20sIBH', b'aa', at, 14, i >= files // 2) for i in range(files)]
    folders = [struct.pack('<128sH', b'aa', i) for i in range(files // 2, files)]
    return (b'\0\0SQUARESOFT' + struct.pack('<I', files) + b''.join(rows) + b''.join(struct.pack('<HH', *s) for s in slots)
            + struct.pack('<HH', 1, len(folders)) + b''.join(folders) + struct.pack('<20sI', b'aa', 0))


# The most that 1 MB can ask of a verb that only reads: by name, what makes the files; the first is the one that is named.
WORST = {
    'lgp-equal-names': lambda: {'x.lgp': lgp_of_one_name(11300)},
}
