#!/usr/bin/env python3
"""Makes docs/images/ways.webp, the animation in README: a game's pack, its page, and its motion on another rig.

    REANIMA=build/release/reanima scripts/moving_picture.py            writes into docs/images
    REANIMA=... scripts/moving_picture.py FOLDER

It shows real output: the messages of the commands, and pages of `preview` in Chromium, with a picture for every second
frame of a clip. Needs chromium and ffmpeg, which `scripts/setup.sh --all` installs.
"""
import html, os, re, shutil, subprocess, sys, tempfile

sys.dont_write_bytecode = True
SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.abspath(os.environ.get('REANIMA', 'reanima'))
sys.path.insert(0, os.path.join(SOURCE, 'tests', 'data', 'rigs'))
import rig_set                                     # noqa: E402

WIDTH, HEIGHT, RATE = 860, 420, 8
CLIP = 'walk'
HOLD = 12                                          # number of pictures that show a command
# Shows a clip at a time, and pauses it.
MOMENT = r'''<script>
{
  const index = state.shown.clips.findIndex((clip) => clip.name === '%s');
  showClip(state.shown.clips[index]);
  state.isPlaying = false;
  element('play').textContent = 'Pause';
  state.time = %s * state.clip.duration;
  draw();
}
</script></body>'''
WORDS = '''<!doctype html><meta charset="utf-8"><body style="margin:0;background:#1d1f21;color:#ddd;font:17px/1.6 monospace;
padding:40px 32px;white-space:pre-wrap">%s</body>'''


class Pictures:
    def __init__(self, folder):
        self.folder = folder
        self.count = 0

    def page(self, text, pictures=1):
        """Adds a picture of a page `pictures` times."""
        place = os.path.join(self.folder, 'page.html')
        with open(place, 'w', encoding='utf-8') as file:
            file.write(text)
        first = self.path(self.count)
        subprocess.run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', f'--window-size={WIDTH},{HEIGHT}',
                        '--user-data-dir=' + os.path.join(self.folder, 'profile'), '--virtual-time-budget=2000', '--screenshot=' + first,
                        'file://' + place], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=240)
        for i in range(1, pictures):
            shutil.copy(first, self.path(self.count + i))
        self.count += pictures

    def path(self, number):
        return os.path.join(self.folder, '%04d.png' % number)

    def write(self, output):
        subprocess.run(['ffmpeg', '-v', 'error', '-y', '-framerate', str(RATE), '-i', os.path.join(self.folder, '%04d.png'), '-c:v', 'libwebp_anim',
                        '-loop', '0', '-quality', '60', '-compression_level', '6', output], check=True)


class Place:
    """A folder with the files of a user: game files and an avatar."""

    def __init__(self, folder):
        self.folder = folder
        self.said = ''
        for name in os.listdir(os.path.join(SOURCE, 'samples', 'ff7')):
            if re.fullmatch('hr..|hero.names.csv', name):
                shutil.copy(os.path.join(SOURCE, 'samples', 'ff7', name), folder)
        rig_set.write_set(folder, {'avatar': ('mixamo', 'adult', {'pose': 'T', 'mesh': 'yes'})})

    def run(self, line):
        """Runs a command and records its visible output."""
        p = subprocess.run([TOOL] + line.split()[1:], cwd=self.folder, stderr=subprocess.PIPE, text=True, check=True)
        told = ''.join(text for text in p.stderr.splitlines(True) if text.startswith('wrote '))
        self.said += f'<b>$ {html.escape(line)}</b>\n{html.escape(told)}\n'

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding='utf-8') as file:
            return file.read()


def play(pictures, page, count):
    for i in range(count):
        pictures.page(page.replace('</body>', MOMENT % (CLIP, i / count), 1))


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(SOURCE, 'docs', 'images')
    with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
        os.makedirs(os.path.join(folder, 'place'))
        place, pictures = Place(os.path.join(folder, 'place')), Pictures(folder)
        place.run('reanima preview hrda --names hero.names.csv -o hero.html')
        pictures.page(WORDS % place.said, HOLD)
        play(pictures, place.read('hero.html'), 10)
        place.run('reanima preview hrda --names hero.names.csv -s avatar.glb -o avatar.html')
        pictures.page(WORDS % place.said, HOLD)
        play(pictures, place.read('avatar.html'), 10)
        pictures.write(os.path.join(out, 'ways.webp'))


if __name__ == '__main__':
    main()
