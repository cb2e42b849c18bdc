#!/usr/bin/env python3
"""Measures the page of `preview` in Chromium. Script time is measured, since it does not depend on the screen.

    bench/page.py TOOL [--frames N]

A character of 3,000 triangles at 1144 x 862: milliseconds of script for a frame, the median of 5 runs of 30 frames, at most 4.
60 characters with 1,344 clips: the page's bytes, at most 8 MB, and the script time until the first picture, at most 1 s;
--frames N sets the length of the clips (default: 15). The status is 1 if a limit is exceeded. The machine should have nothing
else to do.
"""
import os, statistics, struct, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, '..', 'tests', 'tools'), os.path.join(HERE, '..', 'samples', 'ff7')]
import batches, body, generate                      # noqa: E402
from browser import Chromium                        # noqa: E402
from dressed import finer                           # noqa: E402

CHARACTERS, CLIPS, ROTATIONS, TRIANGLES = 60, 1344, 21, 3000
READY = 'Boolean(window.reanima && reanima.page && reanima.page.places.length > 0)'


def put(folder, prefix, clips):
    """Writes a battle character with these clips, and with the skeleton, parts and textures of the sample."""
    with open(os.path.join(HERE, '..', 'samples', 'ff7', 'hraa'), 'rb') as f:
        files = dict(generate.battle_parts(), hraa=f.read(), hrda=struct.pack('<I', len(clips)) + b''.join(clips))
    for name in ('hrac', 'hrad'):
        with open(os.path.join(HERE, '..', 'samples', 'ff7', name), 'rb') as f:
            files[name] = f.read()
    for name, data in files.items():
        with open(os.path.join(folder, prefix + name[2:]), 'wb') as f:
            f.write(data)


def script_seconds(browser):
    return {m['name']: m['value'] for m in browser.ask('Performance.getMetrics')['metrics']}['ScriptDuration']


def open_page(folder, page, link=''):
    browser = Chromium(tempfile.mkdtemp(dir=folder))
    browser.ask('Performance.enable', timeDomain='threadTicks')   # processor time
    browser.open('file://' + page + link)
    browser.until(READY, 120)
    browser.value('reanima.page.ready.then(() => true)')
    return browser


def measure_frames(tool, folder):
    """Returns the number of triangles of a character, and the script time per frame in milliseconds."""
    while sum(len(corners) - 2 for groups in body.SHAPES.values() for faces, _ in groups for corners, _, _ in faces) < TRIANGLES:
        for name, groups in body.SHAPES.items():
            body.SHAPES[name] = [(list(finer(faces)), texture) for faces, texture in groups]
    source = os.path.join(folder, 'hero')
    os.mkdir(source)
    put(source, 'hr', batches.made_clips(4, 1, ROTATIONS))
    page = os.path.join(folder, 'hero.html')
    subprocess.run([tool, 'preview', os.path.join(source, 'hrda'), '-o', page, '-q'], check=True)
    browser = open_page(folder, page, '#hrda/hrda_001&t=0')
    triangles = browser.value('reanima.page.stage.slots[0].shown.surfaces.reduce((sum, { indices }) => sum + indices.length / 3, 0)')
    frame = '''(async () => { const { stage } = reanima.page, clip = reanima.page.clips[0], times = [];
        for (let run = 0; run < 5; ++run) {
          let spent = 0;
          for (let i = 0; i < 30; ++i) {
            const start = performance.now();
            reanima.page.setTime(clip.duration * i / 30);
            stage.draw();
            spent += performance.now() - start;
            await new Promise(requestAnimationFrame);
          }
          times.push(spent / 30);
        }
        return times; })()'''
    times = browser.value(frame)
    browser.close()
    return triangles, statistics.median(times)


def measure_archive(tool, folder):
    """Returns the size of the page in bytes, and the script time until its first picture in seconds."""
    source = os.path.join(folder, 'in')
    os.mkdir(source)
    for i in range(CHARACTERS):
        count = CLIPS * (i + 1) // CHARACTERS - CLIPS * i // CHARACTERS
        put(source, chr(98 + i // 26) + chr(97 + i % 26), batches.made_clips(count, i, ROTATIONS))
    page = os.path.join(folder, 'all.html')
    subprocess.run([tool, 'preview', source, '-o', page, '-q'], check=True)
    browser = open_page(folder, page)
    seconds = script_seconds(browser)
    browser.close()
    return os.path.getsize(page), seconds


def main():
    words = sys.argv[1:]
    if '--frames' in words:
        at = words.index('--frames')
        batches.FRAMES = int(words[at + 1])
        del words[at:at + 2]
    else:
        batches.FRAMES = 15
    if len(words) != 1:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        size, seconds = measure_archive(words[0], folder)
        print('%d characters, %d clips of %d frames: %.2f MB, first picture after %.0f ms of script' % (CHARACTERS, CLIPS, batches.FRAMES, size / 1e6, seconds * 1e3), flush=True)
        triangles, frame = measure_frames(words[0], folder)
        print('%d triangles at 1144 x 862: %.2f ms of script for a frame' % (triangles, frame))
    sys.exit(size > 8e6 or seconds > 1 or frame > 4)


if __name__ == '__main__':
    main()
