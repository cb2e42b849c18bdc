#!/usr/bin/env python3
"""Makes docs/images/browser.png: the page that runs the command (scripts/build-web.sh) on a desktop and a phone, in Chromium.

    REANIMA=TOOL scripts/browser_image.py
"""
import base64, os, sys, tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, 'tests', 'tools'))
from browser import Chromium                        # noqa: E402
from web_test import ONE, PACK, SITE, Page          # noqa: E402
import rig_set                                      # noqa: E402

BOTH = '''<!doctype html><body style="margin:0;display:flex;gap:20px;background:#8a8d90;padding:20px;box-sizing:border-box">
<img src="data:image/png;base64,%s" width="1000" height="680"><img src="data:image/png;base64,%s" width="340" height="680">'''


def shown(folder, size, act):
    page = Page(Chromium, tempfile.mkdtemp(dir=folder), 'file://' + os.path.join(SITE, 'reanima.html'))
    page.browser.resize(*size, 2)
    page.give(dict(PACK, **ONE('archives', 'FF9.IMG'), **ONE('archives', 'hero.pak'), **ONE('rlf', 'wheel.rlf')))
    page.open('hrda')
    act(page)
    page.browser.until('reanima.list.rows.every(({ thumbnail, isRaw }) => thumbnail || isRaw)', 120)
    for player in range(page.value('reanima.stage.players.length')):
        page.value('void reanima.stage.players[%d].seek(0.4)' % player)
    page.value('new Promise((done) => setTimeout(done, 500))')
    picture = page.browser.picture()
    page.close()
    return base64.b64encode(picture).decode()


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        rig_set.write_set(folder, {'mixamo': ('mixamo', 'adult', {})})

        def bind(page):
            page.drop([os.path.join(folder, 'mixamo.glb')], '.zone.rig')
            page.browser.until('!document.querySelector(".rig .save-result").hidden', 120)
        pictures = shown(folder, (1000, 680), bind), shown(folder, (340, 680), lambda page: None)
        with open(os.path.join(folder, 'both.html'), 'w') as file:
            file.write(BOTH % pictures)
        browser = Chromium(os.path.join(folder, 'both'), (1400, 720))
        browser.open('file://' + os.path.join(folder, 'both.html'))
        picture = browser.picture()
        browser.close()
    with open(os.path.join(ROOT, 'docs', 'images', 'browser.png'), 'wb') as file:
        file.write(picture)


main()
