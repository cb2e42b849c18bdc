#!/usr/bin/env python3
"""Measures the page for browsers (build/web, scripts/build-web.sh) in Chromium.

    bench/web.py TOOL

* An archive of 400 battle characters, 100 MB: seconds from the drop to the list (at most 1.5), and from a click to the
  character (at most 1).
* An archive of 1 GiB: how much more memory the page's process holds after the archive was listed and a character was
  opened (at most 100 MB).
* The time of `convert` in the page's worker, as a multiple of TOOL's, for one character and for 26 (at most 3).

The status is 1 if a limit is exceeded. The machine should have nothing else to do.
"""
import importlib.util, json, os, re, statistics, struct, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
if __name__ == '__main__' and len(sys.argv) != 2:
    sys.exit(__doc__)
os.environ['REANIMA'] = sys.argv[1]     # for web_test
sys.path[:0] = [os.path.join(HERE, '..', 'tests', 'tools'), os.path.join(HERE, '..', 'samples', 'ff7')]
import batches                                      # noqa: E402
from browser import Chromium                        # noqa: E402
from page import put                                # noqa: E402
from support import read                            # noqa: E402
from web_test import InBrowsers, Page               # noqa: E402

SPEC = importlib.util.spec_from_file_location('archives', os.path.join(HERE, '..', 'samples', 'archives', 'generate.py'))
ARCHIVES = importlib.util.module_from_spec(SPEC)    # the packs' `generate` has the same name
SPEC.loader.exec_module(ARCHIVES)

CHARACTERS, CLIPS, RUNS, HUGE = 400, 110, 5, 1 << 30
END = b'FINAL FANTASY7'
LISTED = 'reanima.list.rows.length > 0'
PLAYS = 'reanima.stage.players.length === 1 && Boolean(document.querySelector(".first iframe").contentWindow.reanima.page.places.length)'


def archive_of(folder, name, characters, zeros=0):
    """an archive of battle characters; then an entry of zeros, which take no space on the disk"""
    source = os.path.join(folder, name + '.in')
    os.mkdir(source)
    packs = [batches.made_clips(CLIPS, seed, 21) for seed in range(4)]
    for i in range(characters):
        put(source, chr(97 + i // 26) + chr(97 + i % 26), packs[i % 4])
    files = [(each, read(os.path.join(source, each))) for each in sorted(os.listdir(source))]
    data = ARCHIVES.lgp(files + [('zz', b'')])
    end = len(data) - len(END)
    assert data[end:] == END
    os.mkdir(os.path.join(folder, name))
    archive = os.path.join(folder, name, 'battle.lgp')
    with open(archive, 'wb') as f:
        f.write(data[:end - 4] + struct.pack('<I', zeros))
        f.seek(zeros, os.SEEK_CUR)
        f.write(END)
    return archive


def until(page, condition):
    """Returns the seconds until the page fulfils the condition."""
    return page.value('''new Promise((done) => {
        const start = performance.now(), ask = () => (() => { try { return %s; } catch { return false; } })() ? done((performance.now() - start) / 1e3) : setTimeout(ask, 2);
        ask();
    })''' % condition)


def resident(pid):
    with open('/proc/%d/status' % pid) as f:
        return int(re.search(r'VmRSS:\s+(\d+)', f.read()).group(1)) / 1024


def renderers(root):
    """The descendants of a process that run pages"""
    parents = {}
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/stat' % pid) as f, open('/proc/%s/cmdline' % pid) as words:
                parents[int(pid)] = int(f.read().rsplit(')', 1)[1].split()[1]), '--type=renderer' in words.read()
        except OSError:
            pass    # it has ended
    below = lambda pid: pid == root or pid in parents and below(parents[pid][0])     # noqa: E731
    return [pid for pid, (_, is_renderer) in parents.items() if is_renderer and below(pid)]


class Opened:
    """Drops an archive on a new page and opens a character in it. Measures times and memory."""
    def __init__(self, archive, path):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            page = Page(Chromium, folder, InBrowsers.KINDS['http'])
            pids = renderers(page.browser.process.pid)
            before = sum(map(resident, pids))
            self.most, is_done = before, threading.Event()

            def watch():
                while not is_done.wait(0.01):
                    self.most = max(self.most, sum(map(resident, pids)))
            watching = threading.Thread(target=watch)
            watching.start()
            page.drop([archive])
            self.list_seconds = until(page, LISTED)
            page.value('void reanima.list.choose(reanima.list.rows.find((row) => row.path === %s))' % json.dumps(path))
            self.hero_seconds = until(page, PLAYS)
            is_done.set()
            watching.join()
            self.more = self.most - before
            page.close()


def native_seconds(tool, words, folder):
    start = time.monotonic()
    subprocess.run([tool, *words], check=True, cwd=folder)
    return time.monotonic() - start


def page_seconds(archive, words):
    """Runs a command line RUNS times on an archive in the page. Returns the seconds of each run."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Page(Chromium, folder, InBrowsers.KINDS['http'])
        page.choose([archive])
        times = page.value('''(async () => {
            const { run } = await import('./command.js'), files = [['battle.lgp', document.querySelector('.picker').files[0]]], times = [];
            for (let i = 0; i < %d; ++i) {
                const start = performance.now(), { status } = await run(%s, files);
                times.push(status === 0 ? (performance.now() - start) / 1e3 : NaN);
            }
            return times;
        })()''' % (RUNS, json.dumps(words)))
        page.close()
        return times


def main():
    tool = os.path.abspath(sys.argv[1])
    batches.FRAMES = 15
    is_within = True

    def say(what, value, most, unit):
        nonlocal is_within
        is_within = is_within and value <= most
        print('%s: %.2f %s (at most %g)' % (what, value, unit, most), flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        archive = archive_of(folder, 'real', CHARACTERS)
        print('%d characters, %.0f MB' % (CHARACTERS, os.path.getsize(archive) / 1e6), flush=True)
        runs = [Opened(archive, 'battle.lgp:aada') for _ in range(RUNS)]
        say('to the list', statistics.median(run.list_seconds for run in runs), 1.5, 's')
        say('to the character', statistics.median(run.hero_seconds for run in runs), 1, 's')
        huge = archive_of(folder, 'huge', 1, HUGE)
        say('an archive of %d MB, memory' % (os.path.getsize(huge) >> 20), Opened(huge, 'battle.lgp:aada').more, 100, 'MB')
        for what, source in (('one character', 'battle.lgp:aada'), ('26 characters', 'battle.lgp:a*')):
            words = ['convert', source, '-o', 'out/', '-q', '--force', '-j', '1']
            native = min(native_seconds(tool, words, os.path.dirname(archive)) for _ in range(RUNS))
            say('%s, %.3f s with TOOL: in the page' % (what, native), min(page_seconds(archive, words)) / native, 3, 'times as long')
    sys.exit(not is_within)


if __name__ == '__main__':
    main()
