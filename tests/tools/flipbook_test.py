#!/usr/bin/env python3
"""Sample videos as flip-books: at the middle of every picture's time exactly one quad is visible, with the right
picture. In Blender, and in three.js in a browser without a window."""
import functools, hashlib, http.server, json, os, queue, shutil, struct, subprocess, threading, unittest

from gltf_files import image_of
from pictures import from_png
from support import Case, DATA, SOURCE, Scene, in_blender, read, read_json, run, sample, write

VIDEOS = ('wheel.rlf', 'gate.rlf', 'hallw.rlf')
EXPECTED = read_json(DATA, 'samples', 'rlf_expected.json')

QUADS = r'''
source, times = arguments
scene.render.fps = 1000
scene.render.fps_base = 1
bpy.ops.import_scene.gltf(filepath=source)
seen = []
for t in json.loads(times):
    scene.frame_set(int(t * 1000), subframe=(t * 1000) % 1)
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    seen.append(sorted(o.name for o in scene.objects if o.type == 'MESH' and o.evaluated_get(depsgraph).matrix_world.to_scale().length > 0.5))
print('RESULT ' + json.dumps(seen))
'''

PAGE = r'''<!doctype html><html><body>
<script type="importmap">{"imports": {"three": "/three/build/three.module.js"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from '/three/examples/jsm/loaders/GLTFLoader.js';
const tell = (body) => fetch('/result', { method: 'POST', body });
const times = JSON.parse(decodeURIComponent(location.hash.slice(1)));
try {
  const gltf = await new GLTFLoader().loadAsync('/video.glb');
  const mixer = new THREE.AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).setLoop(THREE.LoopOnce).play();
  const seen = times.map((t) => {
    mixer.setTime(t);
    gltf.scene.updateMatrixWorld(true);
    const names = [];
    gltf.scene.traverse((o) => {
      const e = o.matrixWorld.elements;
      if (o.isMesh && Math.hypot(e[0], e[1], e[2]) > 0.5) names.push(o.name);
    });
    return names;
  });
  tell(JSON.stringify(seen));
} catch (error) {
  tell('"' + error + '"');
}
</script></body></html>'''


class Flipbook(Case):
    def convert(self, name):
        glb = self.path('video.glb')
        self.check(run('convert', sample('rlf', name), '-q', '--force', '-o', glb), 0)
        clip = Scene(read(glb)).g['animations'][0]['extras']
        numerator, denominator = clip['rate_exact']
        times = [(i + 0.5) * denominator / numerator for i in range(len(EXPECTED[name]['sha256_raw555']))]
        return glb, times

    def expect_one_after_the_other(self, seen):
        self.assertEqual(seen, [['frame%04d' % i] for i in range(len(seen))], str(seen))

    def test_every_quad_has_its_picture(self):
        for name in VIDEOS:
            glb, _ = self.convert(name)
            scene = Scene(read(glb))
            g = scene.g
            pages = [from_png(image_of(scene, i)) for i in range(len(g['images']))]
            expected = EXPECTED[name]
            for i, wanted in enumerate(expected['sha256_raw555']):
                node = g['nodes'][scene.node('frame%04d' % i)]
                primitive = g['meshes'][node['mesh']]['primitives'][0]
                texture = g['materials'][primitive['material']]['pbrMetallicRoughness']['baseColorTexture']['index']
                width, rows = pages[g['textures'][texture]['source']]
                corners = scene.accessor(primitive['attributes']['TEXCOORD_0'])
                points = scene.accessor(primitive['attributes']['POSITION'])
                place = {(px < 0, py < 0.5): uv for (px, py, _), uv in zip(points, corners)}
                left, top = place[True, False]
                right, bottom = place[False, True]
                x0, x1, y0, y1 = (round(v) for v in (left * width, right * width, top * len(rows), bottom * len(rows)))
                self.assertEqual((x1 - x0, y1 - y0), (expected['width'], expected['height']))
                words = b''.join(struct.pack('<H', (p[0] >> 3) << 10 | (p[1] >> 3) << 5 | p[2] >> 3) for row in rows[y0:y1] for p in row[x0:x1])
                self.assertEqual(hashlib.sha256(words).hexdigest(), wanted, '%s picture %d' % (name, i))

    def test_another_rate_is_exact(self):
        glb = self.path('video.glb')
        self.check(run('convert', sample('rlf', 'gate.rlf'), '-q', '--rate', '29.97', '-o', glb), 0)
        scene = Scene(read(glb))
        animation = scene.g['animations'][0]
        self.assertEqual((animation['extras']['rate'], animation['extras']['rate_exact']), (29.97, [2997, 100]))
        appears = scene.accessor(animation['samplers'][1]['input'])[2][0]       # hidden, hidden, seen
        self.assertEqual(appears, struct.unpack('<f', struct.pack('<f', 100 / 2997))[0])

    @unittest.skipIf(shutil.which('blender') is None, 'Blender is not installed')
    def test_blender(self):
        for name in VIDEOS:
            glb, times = self.convert(name)
            self.expect_one_after_the_other(in_blender(self, QUADS, glb, json.dumps(times)))

    @unittest.skipIf(shutil.which('chromium') is None, 'Chromium is not installed')
    def test_three_js(self):
        three = os.path.join(SOURCE, 'tests', 'node_modules', 'three')
        write(self.path('index.html'), PAGE)
        os.symlink(three, self.path('three'))

        results = queue.Queue()

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                results.put(self.rfile.read(int(self.headers['Content-Length'])))
                self.send_response(204)
                self.end_headers()

            def end_headers(self):
                self.send_header('Cache-Control', 'no-store')  # each video has the address of the one before
                super().end_headers()

        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory=self.folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        for name in VIDEOS:
            _, times = self.convert(name)
            url = 'http://127.0.0.1:%d/index.html#%s' % (server.server_address[1], json.dumps(times).replace(' ', ''))
            browser = subprocess.Popen(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--user-data-dir=' + self.path('profile'),
                                        '--remote-debugging-port=0', url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                self.expect_one_after_the_other(json.loads(results.get(timeout=240)))
            finally:
                browser.terminate()
                browser.wait()


if __name__ == '__main__':
    unittest.main()
