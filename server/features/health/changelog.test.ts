import assert from 'node:assert/strict'
import { test } from 'node:test'
import manifest from '../../../package.json' with { type: 'json' }
import { readChangelog, renderChangelog } from './changelog.ts'

test('renders the changelog without its title, and finds the entry of this version', async () => {
  assert.equal(
    renderChangelog('# Changelog\n\n## [1.2.0] - 2026-11-20\n\n### Added\n\n- A `thing`.\n'),
    '\n<h2>1.2.0 - 2026-11-20</h2>\n<h3>Added</h3>\n<ul>\n<li>A <code>thing</code>.</li>\n</ul>\n'.trimStart(),
  )
  assert.ok((await readChangelog()).includes(`<h2>${manifest.version} - `))
})

test('removes scripts, external content and links other than https from a changelog', () => {
  const hostileMarkdown = [
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    '[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) ![d](https://evil.example/d.png)',
    '[e](https://example.com "x onclick=alert(1)")',
  ].join('\n\n')
  const html = renderChangelog(hostileMarkdown)
  assert.doesNotMatch(html, /<(script|img)|href="(?!https:\/\/example\.com")|<[^>]*onclick/)
  assert.match(html, /<a href="https:\/\/example\.com" target="_blank" rel="noopener nofollow">e<\/a>/)
})
