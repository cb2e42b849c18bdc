#!/usr/bin/env python3
"""Makes docs/images/page.png: the page of `preview` for the samples, in Chromium, 1300 x 900.

    scripts/page_image.py TOOL
"""
import os, subprocess, sys, tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, 'tests', 'tools'))
from browser import Chromium                        # noqa: E402

INPUTS = ('samples/archives', 'samples/ff7/hrda', 'samples/ff8/c0m900.dat', 'samples/rlf/wheel.rlf')
LINK = '#hrda/hrda_001&t=0.4&with=hero.pak%3AHero.ANCS/spin'
PICTURES = '''[...document.querySelectorAll(".who canvas")].every((canvas) =>
    canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0))'''


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = os.path.join(folder, 'samples.html')
        subprocess.run([os.path.abspath(sys.argv[1]), 'preview', *INPUTS, '-o', page, '-q'], check=True, cwd=ROOT)
        browser = Chromium(folder, (1300, 900))
        browser.open('file://' + page + LINK)
        browser.until('Boolean(window.reanima && reanima.page && reanima.page.places.length === 2) && ' + PICTURES)
        picture = browser.picture()
        browser.close()
    with open(os.path.join(ROOT, 'docs', 'images', 'page.png'), 'wb') as f:
        f.write(picture)


main()
