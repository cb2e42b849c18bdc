#!/usr/bin/env python3
"""Pictures of a video, and videos made of pictures."""
import hashlib, json, os, struct, subprocess, unittest

from flipbook_test import EXPECTED
from pictures import as_png, chunks_of, from_png, png_of
from support import Case, SANITIZED, TOOL, conformance, read, run, sample, write

WHEEL, GATE, HALL = (sample('rlf', name) for name in ('wheel.rlf', 'gate.rlf', 'hallw.rlf'))


def expected(path):
    return EXPECTED[os.path.basename(path)]


def hashes(raw555, width, height):
    size = 2 * width * height
    return [hashlib.sha256(raw555[i:i + size]).hexdigest() for i in range(0, len(raw555), size)]


def as_555(rows):
    return b''.join(struct.pack('<H', (p[0] >> 3) << 10 | (p[1] >> 3) << 5 | p[2] >> 3) for row in rows for p in row)


class Frames(Case):
    def raw(self, path, *options):
        return self.check(run('frames', path, '--as', 'raw555', '-o', '-', *options), 0)

    def test_png(self):
        for video in (WHEEL, GATE, HALL):
            out = self.path(os.path.basename(video))
            self.check(run('frames', video, '-o', out, '-j', '2'), 0)
            want = expected(video)
            for i, sha in enumerate(want['sha256_raw555']):
                width, rows = from_png(read(os.path.join(out, 'frame%04d.png' % i)))
                self.assertEqual((width, len(rows)), (want['width'], want['height']))
                self.assertEqual(hashlib.sha256(as_555(rows)).hexdigest(), sha)
                for p in rows[0]:                       # bits are repeated: 31 becomes 255
                    self.assertEqual(tuple(v >> 5 for v in p), tuple(v & 7 for v in p))
            self.assertEqual(len(os.listdir(out)), len(want['sha256_raw555']) + 1)

    def test_the_index_tells_rate_and_order(self):
        self.check(run('frames', WHEEL, '-o', self.path('out')), 0)
        index = json.loads(read(self.path('out', 'frames.json')))
        self.assertEqual(index['rate'], [10000, 666])
        self.assertEqual(index['frames'], ['frame%04d.png' % i for i in range(24)])

    def test_another_rate_is_exact(self):
        for rate, exact in (('24', [24, 1]), ('29.97', [2997, 100]), ('23.976', [2997, 125])):
            self.check(run('frames', WHEEL, '--rate', rate, '-o', self.path(rate)), 0)
            self.assertEqual(json.loads(read(self.path(rate, 'frames.json')))['rate'], exact)

    def test_the_number_of_threads_does_not_matter(self):
        for jobs in (1, 3):
            self.check(run('frames', WHEEL, '-o', self.path(str(jobs)), '-j', jobs), 0)
        for name in os.listdir(self.path('1')):
            self.assertEqual(read(self.path('1', name)), read(self.path('3', name)))

    def test_raw_to_a_pipe(self):
        for video in (WHEEL, GATE, HALL):
            want = expected(video)
            self.assertEqual(hashes(self.raw(video).stdout, want['width'], want['height']), want['sha256_raw555'])
        p = self.check(run('frames', WHEEL, '--as', 'raw', '-o', '-'), 0)
        self.assertEqual(len(p.stdout), 24 * 72 * 48 * 3)

    def test_a_range(self):
        want = expected(WHEEL)['sha256_raw555']
        self.assertEqual(hashes(self.raw(WHEEL, '--frames', '5-7').stdout, 72, 48), want[5:8])
        self.assertEqual(hashes(self.raw(WHEEL, '--frames', '23').stdout, 72, 48), want[23:])
        for wrong, name in (('5-24', WHEEL + ': '), ('7-5', ''), ('x', ''), ('-', ''), ('1-', '')):
            p = self.check(run('frames', WHEEL, '--as', 'raw', '-o', '-', '--frames', wrong), 2)
            self.assertEqual(p.err, 'reanima: %s--frames %s: expected A-B, from 0 to 23\n' % (name, wrong))

    def test_a_short_video_does_not_stop_the_others(self):
        p = self.check(run('frames', GATE, WHEEL, '--frames', '12-13', '--as', 'raw', '-o', 'out', cwd=self.folder), 1)
        self.assertEqual(p.err.splitlines(), ['reanima: %s: --frames 12-13: expected A-B, from 0 to 11' % GATE,
                                              'wrote out/wheel.raw: 2 frames of 72 x 48 pixels, 15.015 per second',
                                              '1 video written, 1 failed, 0 skipped'])
        self.assertEqual(os.listdir(self.path('out')), ['wheel.raw'])

    def test_the_mirrored_half_may_be_dropped(self):
        self.assertEqual(hashes(self.raw(GATE, '--unique').stdout, 40, 32), expected(GATE)['sha256_raw555'][:6])
        self.assertEqual(len(hashes(self.raw(WHEEL, '--unique').stdout, 72, 48)), 24)

    def test_the_index_calls_only_what_it_names_a_palindrome(self):
        for name, options, palindrome in (('all', (), True), ('half', ('--unique',), False), ('some', ('--frames', '0-10'), False),
                                          ('same', ('--frames', '0-11'), True)):
            self.check(run('frames', GATE, '-o', self.path(name), *options), 0)
            self.assertIs(json.loads(read(self.path(name, 'frames.json')))['palindrome'], palindrome, name)
        self.check(run('encode', self.path('half'), '-o', self.path('half.rlf')), 0)
        self.assertEqual(hashes(self.raw(self.path('half.rlf')).stdout, 40, 32), expected(GATE)['sha256_raw555'][:6])

    def test_the_mirrored_half_alone_is_nothing(self):
        message = 'reanima: %s: nothing to write: --unique leaves out frames 6 to 11, because they repeat earlier frames in reverse\n' % GATE
        for form, out in (('png', self.path('out')), ('sheet', self.path('out')), ('raw', self.path('x.raw')), ('raw', '-')):
            p = self.check(run('frames', GATE, '--unique', '--frames', '6-7', '--as', form, '-o', out), 1, message)
            self.assertEqual(p.stdout, b'')
        self.assertEqual(self.files(), [])
        self.assertEqual(hashes(self.raw(GATE, '--unique', '--frames', '5-7').stdout, 40, 32), expected(GATE)['sha256_raw555'][5:6])

    def test_panoramas_are_turned_and_the_reason_is_said(self):
        p = self.raw(HALL)
        self.assertIn('the fifth letter of the file name is w', p.err)
        self.assertNotIn('fifth letter', self.raw(HALL, '--transpose', 'yes').err)
        stored = self.raw(HALL, '--transpose', 'no').stdout[:2 * 32 * 64]
        pixels = struct.unpack('<%dH' % (32 * 64), stored)
        turned = struct.pack('<%dH' % (32 * 64), *(pixels[x * 32 + y] for y in range(32) for x in range(64)))
        self.assertEqual(hashlib.sha256(turned).hexdigest(), expected(HALL)['sha256_raw555'][0])

    def test_a_colour_key_becomes_transparent(self):
        key = struct.unpack('<H', self.raw(WHEEL, '--frames', '0').stdout[:2])[0]
        self.check(run('frames', WHEEL, '--color-key', '%04X' % key, '-o', self.path('out'), '--frames', '0'), 0)
        _, rows = from_png(read(self.path('out', 'frame0000.png')))
        self.assertEqual(len(rows[0][0]), 4)
        self.assertEqual({p[3] for p in rows[0]}, {0})
        self.assertEqual({p[3] for p in rows[-1]}, {255})

    def test_a_sheet(self):
        self.check(run('frames', WHEEL, '--as', 'sheet', '-o', self.path('out')), 0)
        sheet = json.loads(read(self.path('out', 'sheet.json')))
        pages = [from_png(read(self.path('out', page))) for page in sheet['pages']]
        for place, sha in zip(sheet['frames'], expected(WHEEL)['sha256_raw555']):
            width, rows = pages[place['page']]
            x, y, w, h = (place[k] for k in 'xywh')
            self.assertEqual(hashlib.sha256(as_555(row[x:x + w] for row in rows[y:y + h])).hexdigest(), sha)
            if x > 0:                                   # the border repeats the edge: filtering finds no neighbour
                self.assertEqual(rows[y][x - 1], rows[y][x])
            self.assertEqual(rows[min(y + h, len(rows) - 1)][x], rows[y + h - 1][x])

    def test_outputs_follow_the_rules_of_convert(self):
        self.check(run('frames', WHEEL, '-o', self.path('out')), 0)
        self.tells('--force', 'frames', WHEEL, '-o', self.path('out'), status=2)
        p = self.check(run('frames', WHEEL, '-o', self.path('out'), '--force'), 0)
        self.assertNotIn('note', p.err)
        p = self.check(run('frames', GATE, '-o', self.path('out'), '--force'), 0)
        self.assertIn('out: note: 12 images stay, although the new frames.json does not list them: frame0012.png to frame0023.png\n', p.err)
        for i in range(13, 24):
            os.remove(self.path('out', 'frame%04d.png' % i))
        self.tells('out: note: frame0012.png stays, although the new frames.json does not list it\n', 'frames', GATE, '-o', self.path('out'), '--force')
        self.check(run('frames', WHEEL, '--as', 'raw', '-o', self.path('x.raw')), 0)
        self.check(run('frames', WHEEL, '--as', 'raw', '-o', self.path('x.raw')), 2)
        self.check(run('frames', WHEEL, '--as', 'raw', '-o', '/dev/full'), 3)
        for folder in (self.path('new') + '/', self.path('out')):
            self.check(run('frames', WHEEL, '--as', 'raw', '-o', folder), 2, 'reanima: %s: raw needs a file\n' % folder)
        self.assertFalse(os.path.exists(self.path('new')))


class Animations(Case):
    def parts(self, path, *options):
        out = self.path('x.png')
        self.check(run('frames', path, '--as', 'apng', '-o', out, '--force', *options), 0)
        return chunks_of(read(out))

    def test_every_picture_is_in_an_animated_png(self):
        for video in (WHEEL, GATE, HALL):
            want = expected(video)
            parts = self.parts(video)
            width, height, _, colour = struct.unpack_from('>IIBB', parts[0][1])
            self.assertEqual((width, height, colour), (want['width'], want['height'], 2))
            self.assertEqual([kind for kind, _ in parts if kind not in ('sRGB',)],
                             ['IHDR', 'acTL', 'fcTL', 'IDAT'] + ['fcTL', 'fdAT'] * (len(want['sha256_raw555']) - 1) + ['IEND'])
            self.assertEqual(dict(parts)['acTL'], struct.pack('>II', len(want['sha256_raw555']), 0))
            numbered = [data for kind, data in parts if kind in ('fcTL', 'fdAT')]
            self.assertEqual([struct.unpack_from('>I', data)[0] for data in numbered], list(range(len(numbered))))
            pictures = [data if kind == 'IDAT' else data[4:] for kind, data in parts if kind in ('IDAT', 'fdAT')]
            for data, sha in zip(pictures, want['sha256_raw555']):
                _, rows = from_png(as_png(width, height, colour, data))
                self.assertEqual(hashlib.sha256(as_555(rows)).hexdigest(), sha)

    def test_its_rate_is_exact_where_it_fits(self):
        control = lambda *options: struct.unpack('>IIIIIHHBB', [d for k, d in self.parts(WHEEL, *options) if k == 'fcTL'][0])
        self.assertEqual(control(), (0, 72, 48, 0, 0, 666, 10000, 0, 0))
        self.assertEqual(control('--rate', '29.97')[5:7], (100, 2997))
        numerator, denominator = control('--rate', '12.3456789')[5:7]
        self.assertAlmostEqual(denominator / numerator, 12.3456789, 2)

    def test_transparent_pictures_have_alpha_in_all(self):
        key = struct.unpack('<H', run('frames', WHEEL, '--as', 'raw555', '-o', '-', '--frames', '0').stdout[:2])[0]
        parts = self.parts(WHEEL, '--color-key', '%04X' % key)
        self.assertEqual(parts[0][1][9], 6)
        _, rows = from_png(as_png(72, 48, 6, dict(parts)['IDAT']))
        self.assertEqual(rows[0][0][3], 0)


class Streams(Case):
    def test_y4m_tells_size_and_rate(self):
        for video in (WHEEL, GATE, HALL):
            want = expected(video)
            width, height, count = want['width'], want['height'], len(want['sha256_raw555'])
            index = self.path(os.path.basename(video))
            self.check(run('frames', video, '-o', index), 0)
            rate = json.loads(read(os.path.join(index, 'frames.json')))['rate']
            text = self.check(run('frames', video, '--as', 'y4m', '-o', '-'), 0).stdout
            head, _, rest = text.partition(b'\n')
            self.assertEqual(head.decode(), 'YUV4MPEG2 W%d H%d F%d:%d Ip A1:1 C444 XCOLORRANGE=LIMITED' % (width, height, *rate))
            size = 6 + 3 * width * height
            self.assertEqual(len(rest), count * size)
            raw = self.check(run('frames', video, '--as', 'raw', '-o', '-'), 0).stdout
            for i in (0, count - 1):
                frame = rest[i * size:(i + 1) * size]
                self.assertEqual(frame[:6], b'FRAME\n')
                for p in range(0, width * height, 37):              # the inverse of ITU-R BT.601 gives the colours back
                    y, u, v = (frame[6 + plane * width * height + p] for plane in range(3))
                    c, d, e = (y - 16) / 219, (u - 128) / 224, (v - 128) / 224
                    rgb = (c + 1.402 * e, c - 0.344136 * d - 0.714136 * e, c + 1.772 * d)
                    at = (i * width * height + p) * 3
                    for found, wanted in zip(rgb, raw[at:at + 3]):
                        self.assertLess(abs(found * 255 - wanted), 3)

    def test_the_name_tells_the_form(self):
        self.check(run('frames', WHEEL, '-o', self.path('x.y4m')), 0)
        self.assertTrue(read(self.path('x.y4m')).startswith(b'YUV4MPEG2 W72 H48 F10000:666 '))
        self.check(run('frames', WHEEL, '-o', self.path('x.apng')), 0)
        self.assertIn(b'acTL', read(self.path('x.apng')))

    def test_videos_for_players_are_ffmpegs(self):
        odd = conformance('rlf', 'palindrome.rlf')       # 41 x 23 pixels
        for video, target, line in (
                (WHEEL, 'x.mp4', f'reanima frames {WHEEL} --as y4m -o - | ffmpeg -i - -pix_fmt yuv420p x.mp4'),
                (WHEEL, 'my video.AVI', f'reanima frames {WHEEL} --as y4m -o - | ffmpeg -i - -pix_fmt yuv420p "my video.AVI"'),
                (WHEEL, 'x.gif', f'reanima frames {WHEEL} --as y4m -o - | ffmpeg -i - x.gif'),
                (odd, 'x.webm', f'reanima frames {odd} --as y4m -o - | ffmpeg -i - -vf "pad=ceil(iw/2)*2:ceil(ih/2)*2" -pix_fmt yuv420p x.webm')):
            self.check(run('frames', video, '-o', target, cwd=self.folder), 2, f'reanima: -o {target}: reanima can\'t write such videos. Use ffmpeg: {line}\n')
        shaped = ['--unique', '--frames', '0-3', '--rate=12', '--color-key', '7FFF']         # which frames of it is kept
        for words in (['--as', 'png', '-o', 'x.gif', '--force'], ['--as=png', '--output=x.gif'], ['-ox.gif', '-q']):
            line = f"reanima frames {WHEEL} {' '.join(shaped)}{' -q' if '-q' in words else ''} --as y4m -o - | ffmpeg -i - x.gif"
            self.check(run('frames', WHEEL, *shaped, *words, cwd=self.folder), 2, f'reanima: -o x.gif: reanima can\'t write such videos. Use ffmpeg: {line}\n')
        self.check(run('frames', WHEEL, GATE, '-o', 'x.mp4', cwd=self.folder), 2, 'reanima: -o x.mp4: several videos need a folder\n')
        self.check(run('frames', WHEEL, GATE, '-o', '-', cwd=self.folder), 2, 'reanima: -o -: several videos need a folder\n')
        self.assertEqual(self.files(), [])


    def test_a_folder_of_frames_is_not_called_like_a_file(self):
        for target, following in (('x.png', '--as apng makes one animated file'), ('deep/x.JPG', '--as apng makes one animated file'),
                                  ('x.glb', '`reanima convert` makes such a file'), ('x.html', '`reanima preview` makes such a file'),
                                  ('x.bvh', '--as apng makes one animated file')):
            message = f'reanima: -o {target}: frames are written into a folder, for example {os.path.splitext(target)[0]}/; {following}\n'
            for form in ([], ['--as', 'sheet']):
                self.check(run('frames', WHEEL, '-o', target, *form, cwd=self.folder), 2, message)
        self.check(run('frames', WHEEL, GATE, '-o', 'x.png', cwd=self.folder), 2, 'reanima: -o x.png: several videos need a folder\n')
        self.assertEqual(self.files(), [])
        self.check(run('frames', WHEEL, '-o', 'x.png', '--as', 'apng', cwd=self.folder), 0)
        self.check(run('frames', WHEEL, '-o', 'y.png/', cwd=self.folder), 0)                 # who insists
        os.mkdir(self.path('z.png'))
        self.check(run('frames', WHEEL, '-o', 'z.png', cwd=self.folder), 0)
        self.assertEqual(os.listdir(self.path('y.png')), os.listdir(self.path('z.png')))


class SeveralVideos(Case):
    def test_files_folders_and_archives(self):
        import writers
        write(self.path('in/deep/gate.rlf'), read(GATE))
        write(self.path('in/notes.txt'), b'hello')
        write(self.path('in/cut.rlf'), read(WHEEL)[:0xB0])
        write(self.path('intro.zfs'), writers.zfs([('wheel.rlf', 1, 0, read(WHEEL)), ('sound.raw', 2, 0, b'x' * 100)])[0])
        p = self.check(run('frames', WHEEL, 'in', 'intro.zfs', '--as', 'raw', '-o', 'out', cwd=self.folder), 1)
        self.assertEqual([f for f in self.files() if f.startswith('out')], ['out/deep/gate.raw', 'out/intro/wheel.raw', 'out/wheel.raw'])
        self.assertEqual(read(self.path('out/wheel.raw')), read(self.path('out/intro/wheel.raw')))
        self.assertEqual(p.err.splitlines()[-1], '3 videos written, 1 failed, 2 skipped (no video)')
        self.check(run('frames', WHEEL, GATE, cwd=self.folder), 0)
        self.assertEqual(len(os.listdir(self.path('gate'))), 13)
        self.check(run('frames', WHEEL, GATE, cwd=self.folder), 2, 'reanima: wheel: exists and is not empty; --force writes into it\n')

    def test_two_of_one_name_are_refused(self):
        write(self.path('a/x.rlf'), read(GATE))
        write(self.path('b/x.rlf'), read(GATE))
        self.check(run('frames', 'a/x.rlf', 'b/x.rlf', cwd=self.folder), 2, 'reanima: x: two outputs would be written there, from a/x.rlf and from b/x.rlf\n')
        self.check(run('frames', cwd=self.folder), 2, 'reanima: frames: name at least one video; `reanima frames -h` shows how it is used\n')


class Encode(Case):
    def test_a_folder_of_pictures_becomes_a_video(self):
        for video in (WHEEL, GATE):
            name = os.path.basename(video)
            self.check(run('frames', video, '-o', self.path(name, 'png')), 0)
            made = self.path(name, 'made.rlf')
            self.check(run('encode', self.path(name, 'png'), '--format', 'rlf', '-o', made), 0)
            p = self.check(run('frames', made, '--as', 'raw555', '-o', '-'), 0)
            want = expected(video)
            self.assertEqual(hashes(p.stdout, want['width'], want['height']), want['sha256_raw555'])
            self.assertEqual(json.loads(run('dump', made).stdout)['frame_time_raw'], json.loads(run('dump', video).stdout)['frame_time_raw'])
            self.assertLessEqual(os.path.getsize(made), os.path.getsize(video))

    def test_a_folder_without_index_is_read_in_the_order_of_its_numbers(self):
        self.check(run('frames', WHEEL, '-o', self.path('png')), 0)
        order = ['10.png', 'a.png', 'a0.png', 'a2.png', 'a02.png', 'a10.png', 'b1.png', 'frame0999.png', 'frame1000.png', 'frame1001.PNG',
                 'frame10000.png', 'frame10001.png', 'frame99999999999999999999.png', 'frame100000000000000000000.png']
        order[3:5] = sorted(order[3:5])                         # the same number: by the name
        for i, name in enumerate(order):
            write(self.path('plain', name), read(self.path('png', 'frame%04d.png' % i)))
        self.check(run('encode', self.path('plain'), '-o', self.path('x.rlf')), 0)
        p = self.check(run('frames', self.path('x.rlf'), '--as', 'raw555', '-o', '-'), 0)
        self.assertEqual(hashes(p.stdout, 72, 48), expected(WHEEL)['sha256_raw555'][:len(order)])

    def test_a_key_frame_at_every_fifth(self):
        self.check(run('frames', WHEEL, '-o', self.path('png')), 0)
        self.check(run('encode', self.path('png'), '--format', 'rlf', '--key-interval', '5', '-o', self.path('x.rlf')), 0)
        keys = json.loads(run('dump', self.path('x.rlf')).stdout)['key_frames']
        self.assertTrue({0, 5, 10, 15, 20} <= set(keys), keys)

    def test_an_image_that_is_missing(self):
        self.check(run('frames', WHEEL, '-o', self.path('png')), 0)
        os.remove(self.path('png', 'frame0003.png'))
        os.remove(self.path('png', 'frames.json'))
        p = self.check(run('encode', self.path('png'), '--format', 'rlf', '-o', self.path('x.rlf')), 0)
        self.assertIn('png: note: contains no frames.json, so 15 frames per second are assumed\n', p.err)
        self.assertIn('png: warning: number 3 is missing between frame0002.png and frame0004.png, which now follow each other\n', p.err)
        for name in os.listdir(self.path('png')):                 # every second one is no gap
            if int(name[5:9]) % 2:
                os.remove(self.path('png', name))
        p = self.check(run('encode', self.path('png'), '--format', 'rlf', '-o', self.path('y.rlf')), 0)
        self.assertNotIn('missing', p.err)

    def test_what_a_video_can_t_store_is_noted(self):
        red, black = (255, 0, 0, 0), (8, 0, 0, 255)              # 8 is stored exactly: as 1, whose bits are repeated
        write(self.path('png/0.png'), png_of([[red, black]]))
        write(self.path('png/1.png'), png_of([[red, (9, 0, 0, 255)]]))
        p = self.check(run('encode', 'png', '--format', 'rlf', '--rate', '20', '-o', 'x.rlf', cwd=self.folder), 0)
        self.assertEqual(p.err.splitlines()[:-2], ['png: note: 2 images have transparent pixels, which become opaque in the video',
                                                   'png: note: 1 image has colours that are rounded to 5 bits per channel'])
        self.assertEqual(json.loads(run('dump', self.path('x.rlf')).stdout)['frame_time_raw'], 500)
        self.assertEqual(run('frames', self.path('x.rlf'), '--as', 'raw555', '-o', '-').stdout, struct.pack('<4H', 0x7C00, 0x0400, 0x7C00, 0x0400))

    def test_another_rate_replaces_that_of_the_index(self):
        self.check(run('frames', GATE, '-o', 'png', '--color-key', '0000', cwd=self.folder), 0)
        p = self.check(run('encode', 'png', '--fps', '50', '-o', 'x.rlf', cwd=self.folder), 0)
        self.assertNotIn('note', p.err)                          # also none of the transparent pixels, whose colour is known
        self.assertEqual(struct.unpack_from('<I', read(self.path('x.rlf')), 0xB0), (200,))

    def test_sheets_are_no_frames(self):
        self.check(run('frames', GATE, '--as', 'sheet', '-o', 'sheet', cwd=self.folder), 0)
        self.check(run('encode', 'sheet', '-o', 'x.rlf', cwd=self.folder), 1,
                   'reanima: sheet: contains sheets of many frames (sheet.json), expected a PNG per frame. Write them with `reanima frames VIDEO`\n')

    def encoded_at(self, rate):
        """-> the process that encodes two pictures with this rate in frames.json"""
        if not os.path.exists(self.path('png')):
            self.check(run('frames', WHEEL, '-o', self.path('png'), '--frames', '0-1'), 0)
        index = json.loads(read(self.path('png', 'frames.json')))
        write(self.path('png', 'frames.json'), json.dumps(dict(index, rate=rate)))
        return run('encode', self.path('png', 'frames.json'), '--format', 'rlf', '--force', '-o', self.path('x.rlf'))

    def test_every_frame_time_comes_back(self):
        for raw in (1, 3, 667, 1000000001, 0xFFFFFFFF):
            video = bytearray(read(GATE))
            struct.pack_into('<I', video, 0xB0, raw)
            name = str(raw)
            self.check(run('frames', write(self.path(name, 'in.rlf'), video), '-q', '-o', self.path(name, 'png')), 0)
            self.check(run('encode', self.path(name, 'png'), '-q', '-o', self.path(name, 'out.rlf')), 0, '')
            self.assertEqual(struct.unpack_from('<I', read(self.path(name, 'out.rlf')), 0xB0), (raw,))

    def test_other_rates_are_stored_as_the_nearest_frame_time(self):
        p = self.check(self.encoded_at([24, 1]), 0)
        self.assertIn('note: rate: 24 frames per second are stored as 10000/417, which is 23.9808', p.err)
        self.assertEqual(struct.unpack_from('<I', read(self.path('x.rlf')), 0xB0), (417,))

    def test_rates_that_no_frame_time_tells_are_refused(self):
        index = self.path('png', 'frames.json')
        for rate in ([1, 1000000000], [30000, 1]):
            self.check(self.encoded_at(rate), 1, 'reanima: %s: rate: is %d/%d frames per second, expected 10000/4294967295 to 10000/1\n' % (index, *rate))
        self.check(self.encoded_at([0, 1]), 1, 'reanima: %s: rate[0]: is 0, expected a whole number from 1 to 4294967295\n' % index)
        self.check(self.encoded_at([15, 1 << 32]), 1, 'reanima: %s: rate[1]: is 4294967296, expected a whole number from 1 to 4294967295\n' % index)
        self.check(self.encoded_at([15]), 1, 'reanima: %s: rate: has 1 elements, expected 2\n' % index)
        self.assertFalse(os.path.exists(self.path('x.rlf')))

    def test_pictures_that_do_not_fit_are_named(self):
        self.check(run('frames', WHEEL, '-o', self.path('png'), '--frames', '0-1'), 0)
        self.check(run('frames', GATE, '-o', self.path('other'), '--frames', '0'), 0)
        write(self.path('png', 'frame0001.png'), read(self.path('other', 'frame0000.png')))
        p = self.check(run('encode', self.path('png'), '--format', 'rlf', '-o', self.path('x.rlf')), 1)
        self.assertIn('frame0001.png', p.err)
        self.assertIn('40 x 32', p.err)
        write(self.path('png', 'frame0001.png'), b'no picture')
        self.tells('frame0001.png', 'encode', self.path('png'), '--format', 'rlf', '-o', self.path('x.rlf'), status=1)
        self.assertFalse(os.path.exists(self.path('x.rlf')))


class Bombs(Case):
    """Files that state impossible sizes are refused by name, quickly and with little memory."""
    def patched(self, at, *words, size=None):
        data = bytearray(read(WHEEL))
        struct.pack_into('<%dI' % len(words), data, at, *words)
        return write(self.path('bomb.rlf'), bytes(data[:size]))

    def expect(self, path, status, message, *verb):
        verb = tuple(map(str, verb)) or ('frames', '--as', 'raw', '-o', '/dev/null')
        with open(self.path('messages'), 'w+b') as messages:
            p = subprocess.Popen([TOOL, *verb, path], stdout=subprocess.DEVNULL, stderr=messages)
            _, result, usage = os.wait4(p.pid, 0)
            p.returncode = os.waitstatus_to_exitcode(result)
        self.assertEqual(p.returncode, status)
        self.assertIn(message, read(self.path('messages')).decode())
        self.assertLess(usage.ru_utime + usage.ru_stime, 60 if SANITIZED else 5)    # seconds of a processor
        self.assertLess(usage.ru_maxrss, 600 * 1024 * (3 if SANITIZED else 1))

    def test_four_thousand_million_frames(self):
        self.expect(self.patched(0x10, 0xFFFFFFFF), 0, '24 of 4294967295 frames', 'dump')

    def test_sides(self):
        for w, h in ((65535, 65535), (0x10000, 0x10001), (0xFFFFFFFF, 0xFFFFFFFF), (0x80000000, 2)):
            self.expect(self.patched(0x9C, w, h), 4, 'picture.width at 0x9c: is %d, but the limit is 999998' % w if w > 999998 else
                        'picture.width at 0x9c: %d x %d pixels are more than the limit' % (w, h))

    def test_limits_may_be_lowered(self):                         # a picture has 72 x 48 = 3456 pixels, the video 24 of them
        raw = ('frames', '--as', 'raw', '-o', '/dev/null')
        for verb in (raw, ('dump',), ('convert', '--force', '-o', self.path('x.glb'))):
            self.expect(WHEEL, 4, 'picture.width at 0x9c: 72 x 48 pixels are more than the limit of 3455', *verb, '--limit-samples', '3455')
        self.expect(WHEEL, 0, '', *raw, '--limit-samples', '3456')
        long = bytearray(read(WHEEL)[:0xB4])                     # 65 pictures of 3456 pixels, each of a run
        frame = struct.pack('<4s3I4s2IB', b'MARF', 29, 0, 0, b'ELHD', 28, 0, 0)
        for count, status, message in ((65, 4, 'exceed the limit of 221184 pixels'), (64, 0, '')):
            struct.pack_into('<I', long, 0x10, count)
            self.expect(write(self.path('long.rlf'), bytes(long) + frame * count), status, message, *raw, '--limit-samples', '3456')

    def test_limits_may_be_raised(self):
        large = bytearray(read(self.patched(0x9C, 4096, 4097)))
        struct.pack_into('<I', large, 0x10, 1)
        large = write(self.path('large.rlf'), large)
        self.expect(large, 4, '4096 x 4097 pixels are more than the limit of 16777216')
        self.expect(large, 0, '', 'frames', '--as', 'raw', '--frames', '0', '-o', '/dev/null', '--limit-samples', 4096 * 4097)
        # 18 bytes a pixel: 294984 KiB
        self.expect(large, 4, 'picture.width at 0x9c: would need 289 MiB of memory, but the limit is 256', 'dump', '--limit-samples', '1e9', '--limit-memory', '256')
        self.expect(self.patched(0x9C, 65535, 65535), 4, 'picture.width at 0x9c: would need 73726 MiB of memory, but the limit is 1024', 'dump',
                    '--limit-samples', '1e12')

    def test_empty_frames_on_a_large_surface(self):
        data = bytearray(read(WHEEL)[:0xB4])
        struct.pack_into('<2I', data, 0x9C, 4096, 4096)
        struct.pack_into('<I', data, 0x10, 60000)
        bomb = write(self.path('bomb.rlf'), bytes(data) + struct.pack('<4s3I4s2I', b'MARF', 28, 0, 0, b'ELHD', 28, 0) * 60000)
        self.expect(bomb, 0, '', 'dump')
        self.expect(bomb, 4, 'frame_count: 60000 frames of 4096 x 4096 pixels exceed the limit of 1073741824 pixels')


if __name__ == '__main__':
    unittest.main()
