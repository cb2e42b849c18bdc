"""The texture of the person in the console samples: a face, hair, skin and clothes. Contains no game data."""
SIDE = 64                                               # texels
# Areas of the picture: left, top, width, height.
FACE, HAIR, SKIN, SHIRT, TROUSERS, BOOTS = (0, 0, 32, 32), (32, 0, 32, 16), (32, 16, 32, 16), (0, 32, 32, 32), (32, 32, 32, 16), (32, 48, 32, 16)
# Red, green and blue with 5 bits each; the first colour is transparent.
COLOURS = [(0, 0, 0), (27, 20, 15), (24, 16, 12), (13, 7, 3), (17, 10, 4), (5, 12, 22), (4, 9, 17), (25, 22, 8),
           (11, 9, 8), (9, 7, 6), (8, 5, 3), (6, 4, 2), (31, 31, 31), (3, 6, 14), (22, 9, 8), (28, 28, 24)]


def texel(x, y):
    """-> index of the colour"""
    shade = (x // 2 + y // 2) % 2
    if x < 32 and y < 32:                               # a face, hair above it
        if y < 9 or (x < 4 or x > 27) and y < 18:
            return 3 + shade
        if 13 <= y < 18 and (8 <= x < 13 or 19 <= x < 24):
            return 13 if 14 <= y < 17 and x % 11 in (9, 10) else 12
        return 14 if 24 <= y < 26 and 11 <= x < 21 else 1
    if y < 16:
        return 3 + shade
    if y < 32:
        return 1 + (shade and x % 8 == 0)
    if x < 32:                                          # a shirt with a collar, buttons and a belt
        if y < 36:
            return 15
        return 7 if y >= 60 or x in (15, 16) and y % 6 < 2 else 5 + shade
    return (8 if y < 48 else 10) + shade
