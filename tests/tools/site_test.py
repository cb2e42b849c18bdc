#!/usr/bin/env python3
"""The documentation as HTML: every link and image of every page leads somewhere, to a heading too."""
import os, re, shutil, subprocess, unittest

from folder import SOURCE, InFolder


@unittest.skipUnless(shutil.which('pandoc'), 'pandoc is not installed')
class Site(InFolder):
    def test_links_lead_somewhere(self):
        site = self.path('site')
        p = subprocess.run([os.path.join(SOURCE, 'scripts', 'build-docs.sh'), '--output', site, '--repository', 'https://example.org/r'],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        self.assertEqual((p.returncode, p.stdout), (0, f'wrote {site}/index.html\n'))
        pages = {}
        for folder, _, names in os.walk(site):
            for name in names:
                if name.endswith('.html'):
                    with open(os.path.join(folder, name), encoding='utf-8') as f:
                        pages[os.path.join(folder, name)] = f.read()
        self.assertGreater(len(pages), 40)
        dead = []
        for page, text in pages.items():
            for link in re.findall(r'(?:href|src)="([^"]*)"', text):
                if re.match(r'[a-z]+:', link):
                    continue
                target, _, anchor = link.partition('#')
                path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
                if not os.path.exists(path) or (anchor and f'id="{anchor}"' not in pages[path]):
                    dead.append(f'{os.path.relpath(page, site)}: {link}')
        self.assertEqual(dead, [])


if __name__ == '__main__':
    unittest.main()
