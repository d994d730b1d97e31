import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '#server/errors.ts'
import { countLinks, findMentionNames, findPictures, renderMarkdown } from './markdown.ts'

const HOST = 'play.example.ph'
const PICTURE = `/files/${'a'.repeat(64)}.webp`
const REFERENCES = {
  pictures: new Map([[PICTURE, { url: PICTURE, width: 800, height: 600 }]]),
  mentions: new Set(['tala', 'juan']),
}
const render = (body: string) => renderMarkdown(body, HOST, REFERENCES)

/** A tag with allowed attributes only. Any other text that begins with < is an error. */
const TAG =
  /^<(?:\/(?:p|h3|h4|strong|em|s|mark|code|pre|ul|ol|li|blockquote|a|table|thead|tbody|tr|th|td)>|(?:p|h3|h4|strong|em|s|mark|code|pre|ul|li|blockquote|table|thead|tbody|tr|th|td)>|(?:br|hr) \/>|ol(?: start="\d+")?>|a(?: (?:href|rel|target)="[^"<>]*")*>|img(?: (?:src|alt|width|height|loading)="[^"<>]*")* \/>)/

/** @throws for HTML in which a browser would run code, show a frame, apply a style or fetch a picture of another site */
function assertHarmless(html: string, source: string): void {
  for (const { index } of html.matchAll(/</g)) assert.match(html.slice(index), TAG, `${source}\n→ ${html}`)
  for (const [, href = ''] of html.matchAll(/<a[^<>]* href="([^"]*)"/g)) {
    const address = href.replaceAll('&amp;', '&')
    const protocol = URL.parse(address, `https://${HOST}/forum/100/1`)?.protocol
    assert.ok(protocol === undefined || /^https?:$/.test(protocol), `${source}\n→ ${href}`)
    assert.doesNotMatch(address, /^\s*(?:javascript|data|vbscript):/i)
  }
  for (const [, src] of html.matchAll(/<img[^<>]* src="([^"]*)"/g)) assert.equal(src, PICTURE, source)
}

const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '<style>*{display:none}</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example"><input name=UserPass></form>',
  '<math><mtext></table><img src=x onerror=alert(1)></mtext></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](vbscript:msgbox(1))',
  '[x](file:///etc/passwd)',
  '[x](https://evil.example "onmouseover=alert(1)")',
  '[x](<https://evil.example/" onmouseover="alert(1)>)',
  '![x](https://evil.example/track.png)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '![x](//evil.example/track.png)',
  `![x" onload="alert(1)](${PICTURE})`,
  `![x](${PICTURE} "t\\" onload=alert(1)")`,
  `![x](${PICTURE}?x=1)`,
  '<javascript:alert(1)>',
  '<https://evil.example/"onclick="alert(1)>',
  '[a]: javascript:alert(1)\n\n[a]',
  '```html\n<script>alert(1)</script>\n```',
  '```"><script>alert(1)</script>\nx\n```',
  '`<img src=x onerror=alert(1)>`',
  '| <script> | b |\n| --- | --- |\n| <img src=x onerror=alert(1)> | [x](javascript:1) |',
  '@tala<script>alert(1)</script>',
  '[@tala](javascript:alert(1))',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '\u2028<script>\u2029',
  `${'> '.repeat(200)}<script>`,
  `${'['.repeat(500)}x`,
  `${'*'.repeat(1000)}x`,
]

test('no known payload becomes a script, a style, a frame or another site’s picture', () => {
  for (const payload of PAYLOADS) assertHarmless(render(payload), payload)
})

test('no random mixture of payloads and markup becomes harmful HTML', () => {
  const fragment = fc.oneof(
    fc.constantFrom(...PAYLOADS),
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '`',
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '!',
      '\\',
      '\n',
      '\n\n',
      '> ',
      '- ',
      '| ',
    ),
    fc.constantFrom(
      'script',
      'img',
      'onerror=',
      'src=',
      'href=',
      'javascript:',
      'style=',
      '<!--',
      '-->',
      '<![CDATA[',
      '@tala',
    ),
    // A string of the unit 'binary' takes seconds, because its first use lists all characters.
    fc
      .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 8 })
      .map((codePoints) => String.fromCodePoint(...codePoints).toWellFormed()),
  )
  const text = fc.array(fragment, { maxLength: 24 }).map((fragments) => fragments.join(''))
  fc.assert(
    fc.property(text, (body) => {
      try {
        assertHarmless(render(body), body)
      } catch (error) {
        // A text with too many links or brackets is refused before it is rendered.
        if (!(error instanceof Refusal)) throw error
      }
    }),
    { numRuns: 800 },
  )
})

test('links to other sites open a new tab and have nofollow; links within the site do not', () => {
  const html = render('https://evil.example and https://play.example.ph/news and [x](/itemshop) and www.example.com')
  assert.match(html, /<a href="https:\/\/evil\.example" target="_blank" rel="noopener nofollow ugc">/)
  assert.match(html, /<a href="https:\/\/play\.example\.ph\/news">/)
  assert.match(html, /<a href="\/itemshop">x<\/a>/)
  assert.equal(countLinks(html, { ownHost: HOST }), 2)
})

test('marks a name after an @ only if a player has this name', () => {
  assert.deepEqual(findMentionNames('@Tala, @juan @tala mail me a@juan.ph'), ['tala', 'juan'])
  assert.equal(render('Oy @Tala at @wala'), '<p>Oy <mark>@Tala</mark> at @wala</p>')
  assert.equal(render('`@tala`'), '<p><code>@tala</code></p>')
  assert.deepEqual(findMentionNames('> @tala\n\n`@juan` [@maria](/news)\n\n    @pedro'), [])
  assert.equal(
    render('> Oy @tala\n\n- @juan'),
    '<blockquote>\n<p>Oy @tala</p>\n</blockquote>\n<ul>\n<li><mark>@juan</mark></li>\n</ul>',
  )
})

test('shows uploaded pictures with their size, and others as links', () => {
  assert.equal(
    render(`![Kuha](${PICTURE})`),
    `<p><img src="${PICTURE}" alt="Kuha" width="800" height="600" loading="lazy" /></p>`,
  )
  assert.match(
    render('![Kuha](https://evil.example/a.png)'),
    /<a href="https:\/\/evil\.example\/a\.png"[^>]*>Kuha<\/a>/,
  )
  assert.deepEqual(findPictures(`![a](${PICTURE}) ![b](${PICTURE}) ![c](/files/x.webp)`), [PICTURE])
})
