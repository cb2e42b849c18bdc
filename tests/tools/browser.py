"""Browsers without a window, driven over a WebSocket: Chromium by its DevTools protocol, Firefox by WebDriver BiDi."""
import base64, http.server, json, os, re, shutil, signal, socket, struct, subprocess, threading, time

KEYS = {' ': 'Space', 'ArrowLeft': '\ue012', 'ArrowUp': '\ue013', 'ArrowRight': '\ue014', 'ArrowDown': '\ue015', 'Home': '\ue011',
        'End': '\ue010', 'Enter': '\ue007', 'Escape': '\ue00c', 'Tab': '\ue004', 'PageDown': '\ue00f', 'PageUp': '\ue00e'}
CODES = {'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39, 'ArrowDown': 40, 'Home': 36, 'End': 35, 'Enter': 13, 'Escape': 27, 'Tab': 9,
         'PageDown': 34, 'PageUp': 33}
PATIENCE = 120      # seconds


class Socket:
    """A client of the WebSocket protocol, RFC 6455"""
    def __init__(self, url):
        host, port, path = re.match(r'ws://([^:/]+):(\d+)(/.*)?$', url).groups()
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(('GET %s HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
                             'Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n' % (path or '/', host, port, key)).encode())
        self.held = b''
        while b'\r\n\r\n' not in self.held:
            self.held += self.socket.recv(4096)
        head, self.held = self.held.split(b'\r\n\r\n', 1)
        assert b' 101 ' in head, head

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81]) + (bytes([0x80 | size]) if size < 126 else struct.pack('>BH', 254, size) if size < 65536 else struct.pack('>BQ', 255, size))
        repeated = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(data, 'big') ^ int.from_bytes(repeated, 'big')).to_bytes(size, 'big')
        self.socket.sendall(head + mask + masked)

    def take(self, size):
        parts, left = [self.held], size - len(self.held)
        while left > 0:
            part = self.socket.recv(min(left, 1 << 20))
            if not part:
                raise EOFError('the browser has gone')
            parts.append(part)
            left -= len(part)
        data = b''.join(parts)
        self.held = data[size:]
        return data[:size]

    def receive(self):
        text = b''
        while True:
            first, second = self.take(2)
            size = second & 127
            size = struct.unpack('>H', self.take(2))[0] if size == 126 else struct.unpack('>Q', self.take(8))[0] if size == 127 else size
            data = self.take(size)
            if first & 15 in (0, 1):
                text += data
                if first & 128:
                    return text.decode()


class Network:
    """The browser's only network: a proxy that serves the files of a folder as one host, SITE, and refuses all
    others."""
    SITE = 'http://page.test/'
    # Requests that the browsers make by themselves, whatever they show.
    OF_BROWSERS = re.compile(r'(https?://)?([\w-]+\.)*(google|googleapis|gvt1|mozilla|firefox)\.(com|org|net)[:/]')

    def __init__(self):
        self.asked, self.folder = [], os.devnull
        network = self

        class Answer(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *args):
                super().__init__(*args, directory=network.folder)

            def log_message(self, *_):
                pass

            def parse_request(self):
                is_request = super().parse_request()
                if is_request and not network.OF_BROWSERS.match(self.path):
                    network.asked.append(self.path)
                if is_request:
                    self.is_known = self.command == 'GET' and self.path.startswith(network.SITE)
                    self.path = self.path[len(network.SITE) - 1:] if self.is_known else self.path
                return is_request

            def do_GET(self):
                super().do_GET() if self.is_known else self.send_error(403)

            do_CONNECT = do_POST = do_HEAD = do_GET

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Answer)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Browser:
    """Parts of both browsers: a process, numbered commands, a network, and events."""
    def __init__(self, words, announced):
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        self.socket = Socket(self.address(announced))
        threading.Thread(target=self.drain, daemon=True).start()
        self.number, self.errors, self.requests, self.exceptions = 0, [], [], []

    def address(self, announced):
        said = b''
        while True:
            line = self.process.stderr.readline()
            said += line
            assert line, said.decode(errors='replace')[-2000:]
            found = re.search(announced, line.decode(errors='replace'))
            if found:
                return found.group(1)

    def drain(self):
        while self.process.stderr.readline():
            pass

    def ask(self, method, **params):
        self.number += 1
        self.socket.send(json.dumps(dict(self.envelope(), id=self.number, method=method, params=params)))
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            message = json.loads(self.socket.receive())
            if message.get('id') == self.number:
                if 'error' in message:
                    raise AssertionError('%s: %s' % (method, json.dumps(message)[:500]))
                return message['result']
            self.happened(message.get('method'), message.get('params', {}))
        raise AssertionError(method + ': no answer')

    def envelope(self):
        return {}

    def press(self, *keys):
        for key in keys:
            self.key(key)

    def until(self, expression, seconds=120):
        """waits until an expression is true in the page"""
        end = time.monotonic() + seconds
        while not self.value(expression):
            if time.monotonic() > end:
                raise AssertionError('never true: ' + expression)
            time.sleep(0.05)

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stderr.close()
        self.socket.socket.close()
        self.network.close()


class Chromium(Browser):
    def __init__(self, folder, size=(1144, 862), scale=1, dark=False, words=()):
        self.network = Network()
        super().__init__(['chromium', '--headless', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
                          '--remote-debugging-port=0', '--user-data-dir=' + os.path.join(folder, 'chromium'), '--no-first-run', '--disable-extensions',
                          '--proxy-server=127.0.0.1:%d' % self.network.port, '--proxy-bypass-list=<-loopback>', '--disable-background-networking',
                          '--disable-component-update', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--force-color-profile=srgb', *words, 'about:blank'], r'DevTools listening on (ws://\S+)')
        self.session = None
        page = next(t for t in self.ask('Target.getTargets')['targetInfos'] if t['type'] == 'page')
        self.session = self.ask('Target.attachToTarget', targetId=page['targetId'], flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.ask(domain + '.enable')
        self.resize(*size, scale)
        self.ask('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])
        self.ask('Browser.setDownloadBehavior', behavior='allow', downloadPath=folder)

    def envelope(self):
        return {'sessionId': self.session} if self.session else {}

    def resize(self, width, height, scale=1, mobile=False):
        self.ask('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=scale, mobile=mobile)

    def happened(self, method, params):
        if method == 'Runtime.exceptionThrown':
            self.errors.append(json.dumps(params['exceptionDetails']))
        elif method == 'Runtime.consoleAPICalled' and params['type'] in ('error', 'warning', 'assert'):
            self.errors.append(json.dumps(params['args']))
        elif method == 'Log.entryAdded' and params['entry']['level'] in ('error', 'warning'):
            text = params['entry']['text']
            if not re.search(r'GPU stall due to ReadPixels|software WebGL|Multiple readback operations', text):    # of reading what was drawn, as tests do
                self.errors.append(text)
        elif method == 'Network.requestWillBeSent':
            self.requests.append(params['request']['url'])

    def open(self, url):
        self.ask('Page.navigate', url=url)
        self.until('document.readyState === "complete"')

    def value(self, expression):
        answer = self.ask('Runtime.evaluate', expression=expression, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in answer:
            raise AssertionError(json.dumps(answer['exceptionDetails'])[:1000])
        return answer['result'].get('value')

    def key(self, key):
        text = '\r' if key == 'Enter' else key if len(key) == 1 else None
        code = CODES.get(key, ord(key[0].upper()))
        self.ask('Input.dispatchKeyEvent', type='keyDown' if text else 'rawKeyDown', key=key, windowsVirtualKeyCode=code, **({'text': text} if text else {}))
        self.ask('Input.dispatchKeyEvent', type='keyUp', key=key, windowsVirtualKeyCode=code)

    def picture(self):
        return base64.b64decode(self.ask('Page.captureScreenshot', format='png')['data'])


class Firefox(Browser):
    def __init__(self, folder, size=(1144, 862)):
        self.network = Network()
        profile = os.path.join(folder, 'firefox')
        os.makedirs(profile)
        with open(os.path.join(profile, 'user.js'), 'w') as f:
            for name, value in (('webgl.force-enabled', True), ('browser.download.folderList', 2), ('browser.download.dir', folder),
                                ('browser.download.useDownloadDir', True), ('datareporting.policy.dataSubmissionEnabled', False),
                                ('browser.shell.checkDefaultBrowser', False), ('app.update.enabled', False), ('network.proxy.type', 1),
                                ('network.proxy.allow_hijacking_localhost', True), *((name, value) for kind in ('http', 'ssl') for name, value in (('network.proxy.' + kind, '127.0.0.1'), ('network.proxy.%s_port' % kind, self.network.port)))):
                f.write('user_pref(%s, %s);\n' % (json.dumps(name), json.dumps(value)))
        # Without a screen Firefox has no WebGL.
        screen = ['xvfb-run', '-a', '-s', '-screen 0 1600x1200x24'] if shutil.which('xvfb-run') else []
        super().__init__([*screen, 'firefox-esr', *([] if screen else ['--headless']), '--no-remote', '--remote-debugging-port', '0', '--profile', profile, '--width', str(size[0]),
                          '--height', str(size[1])], r'WebDriver BiDi listening on (ws://\S+)')
        self.socket.socket.close()
        self.socket = Socket(self.bidi + '/session')
        self.ask('session.new', capabilities={})
        self.context = self.ask('browsingContext.getTree')['contexts'][0]['context']
        self.ask('session.subscribe', events=['log.entryAdded', 'network.beforeRequestSent'])
        self.ask('browsingContext.setViewport', context=self.context, viewport={'width': size[0], 'height': size[1]})

    def address(self, announced):
        self.bidi = super().address(announced)
        return self.bidi + '/session'

    def happened(self, method, params):
        if method == 'log.entryAdded' and params['level'] in ('error', 'warn'):
            self.errors.append(params['text'])
        elif method == 'network.beforeRequestSent' and params.get('context') == self.context:
            self.requests.append(params['request']['url'])

    def open(self, url):
        # The event that wait='complete' waits for never comes where a page writes into its own address while it loads.
        self.ask('browsingContext.navigate', context=self.context, url=url, wait='none')
        end = time.monotonic() + PATIENCE
        while not self.has_loaded(url == 'about:blank'):
            if time.monotonic() > end:
                raise AssertionError('never loaded: ' + url)
            time.sleep(0.05)

    def has_loaded(self, is_blank):
        try:
            return self.ask('script.evaluate', expression='document.readyState === "complete" && (location.href === "about:blank") === %s' % json.dumps(is_blank),
                            awaitPromise=False, target={'context': self.context})['result'].get('value', False)
        except AssertionError:      # the document is being replaced
            return False

    def value(self, expression):
        answer = self.ask('script.evaluate', expression='(async () => JSON.stringify([await (%s)]))()' % expression, awaitPromise=True,
                          target={'context': self.context})
        if answer['type'] != 'success':
            raise AssertionError(json.dumps(answer)[:1000])
        return json.loads(answer['result']['value'])[0]

    def key(self, key):
        value = KEYS.get(key, key) if key != ' ' else ' '
        self.ask('input.performActions', context=self.context, actions=[{'type': 'key', 'id': 'keys', 'actions': [{'type': 'keyDown', 'value': value},
                                                                                                        {'type': 'keyUp', 'value': value}]}])

    def picture(self):
        return base64.b64decode(self.ask('browsingContext.captureScreenshot', context=self.context)['data'])


def installed():
    """-> the browsers that are installed"""
    return [kind for kind, name in ((Chromium, 'chromium'), (Firefox, 'firefox-esr')) if shutil.which(name)]
