import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanHtml, createExcerpt } from './clean-html.ts'

const CLEANING_CASES: [caseName: string, input: string, expected: string][] = [
  ['a script with its text', '<p>a<script>steal()</script>b</p>', '<p>ab</p>'],
  ['a script in odd letters', '<ScRiPt src=//evil.example>steal()</sCrIpT>ok', 'ok'],
  ['a script that never ends', 'ok<script>steal()', 'ok'],
  ['an event handler', '<p onclick="steal()" onmouseover=steal()>a</p>', '<p>a</p>'],
  ['a handler on a picture', '<img src="x.png" onerror="steal()">', '<img src="x.png" loading="lazy" />'],
  ['a javascript: link', '<a href="javascript:steal()">a</a>', '<a>a</a>'],
  ['a javascript: link in disguise', '<a href=" jAvA&#115;cript&#58;steal()">a</a>', '<a>a</a>'],
  ['a javascript: link broken by a tab', '<a href="java\tscript:steal()">a</a>', '<a>a</a>'],
  ['a vbscript: link', '<a href="vbscript:steal()">a</a>', '<a>a</a>'],
  ['a data: link', '<a href="data:text/html,<script>steal()</script>">a</a>', '<a>a</a>'],
  ['a data: picture', '<img src="data:image/svg+xml,<svg onload=steal()>">', '<img loading="lazy" />'],
  ['a frame', 'a<iframe src="https://evil.example"></iframe>b', 'ab'],
  ['a frame with its own document', 'a<iframe srcdoc="<script>steal()</script>">x</iframe>b', 'ab'],
  ['an object and an embed', 'a<object data="x.swf">x</object><embed src="x.swf">b', 'ab'],
  ['an SVG with an onload handler', 'a<svg onload="steal()"><circle r="1"/></svg>b', 'ab'],
  ['an image hidden in an SVG style', '<svg><style><img src=x onerror=steal()></style></svg>b', 'b'],
  ['an image hidden in MathML', '<math><mtext><img src=x onerror=steal()></mtext></math>b', 'b'],
  ['a style sheet', 'a<style>p{display:none}</style>b', 'ab'],
  ['a style attribute', '<p style="position:fixed;inset:0">a</p>', '<p>a</p>'],
  ['classes and ids', '<p class="hero" id="root">a</p>', '<p>a</p>'],
  ['a form and its fields', '<form action="https://evil.example">a<input name="p"><button>b</button></form>', 'ab'],
  ['base, link and meta', '<base href="//evil.example"><link rel="x"><meta http-equiv="refresh">a', 'a'],
  ['a protocol-relative picture', '<img src="//evil.example/a.png">', '<img loading="lazy" />'],
  ['a protocol-relative picture with backslashes', '<img src="/\\evil.example/a.png">', '<img loading="lazy" />'],
  ['a protocol-relative link', '<a href="//evil.example">a</a>', '<a>a</a>'],
  [
    'a picture of another site that is not on https',
    '<img src="http://evil.example/a.png" alt="b">',
    '<img alt="b" loading="lazy" />',
  ],
  ['a link that is not on https', '<a href="http://example.com/">a</a>', '<a>a</a>'],
  ['a comment', 'a<!-- [if IE]><script>steal()</script> -->b', 'ab'],
]

for (const [caseName, input, expected] of CLEANING_CASES) {
  test(`removes or disarms ${caseName}`, () => {
    assert.equal(cleanHtml(input), expected)
  })
}

const NESTED_SCRIPT = '<scr<script>ipt>steal()</scr</script>ipt>ok'

test('leaves no script tag of a script inside a script', () => {
  assert.doesNotMatch(cleanHtml(NESTED_SCRIPT), /<script/i)
})

test('cleaning again changes nothing', () => {
  for (const input of [NESTED_SCRIPT, ...CLEANING_CASES.map(([, caseInput]) => caseInput)])
    assert.equal(cleanHtml(cleanHtml(input)), cleanHtml(input))
})

test('turns a picture of another site into a link, which hides the readers from that site', () => {
  const externalLink = (text: string) =>
    `<a href="https://example.com/a.png" target="_blank" rel="noopener nofollow">${text}</a>`
  assert.equal(cleanHtml('<img src="https://example.com/a.png" alt="Our rooftop">'), externalLink('Our rooftop'))
  assert.equal(cleanHtml('<img src=" htt\nps://example.com/a.png">'), externalLink('Picture on example.com'))
})

test('leaves plain tags unchanged', () => {
  for (const html of [
    '<h2>A</h2><h3>B</h3><h4>C</h4><p>one<br />two</p><hr />',
    '<p><strong>a</strong><b>b</b><em>c</em><i>d</i><u>e</u><s>f</s><small>g</small><sub>h</sub><sup>i</sup><mark>j</mark></p>',
    '<ul><li>a</li></ul><ol start="3"><li>b</li></ol><dl><dt>c</dt><dd>d</dd></dl>',
    '<blockquote>a</blockquote><pre><code>b</code></pre>',
    '<figure><img src="/art/news-01.webp" alt="a" title="b" width="300" height="200" loading="lazy" /><figcaption>c</figcaption></figure>',
    '<table><caption>t</caption><thead><tr><th colspan="2" scope="col">a</th></tr></thead><tbody><tr><td rowspan="2">b</td></tr></tbody><tfoot><tr><td>c</td></tr></tfoot></table>',
    '<p>5 &lt; 6 &amp; 7 &gt; 6, ñ, ₱100</p>',
  ]) {
    assert.equal(cleanHtml(html), html)
  }
})

test('turns a first-level heading into a second-level one, because the page has its own', () => {
  assert.equal(cleanHtml('<h1>A</h1>'), '<h2>A</h2>')
})

test('opens a link to another site in a new tab, with nofollow', () => {
  const link = '<a href="https://example.com/a" target="_blank" rel="noopener nofollow">a</a>'
  assert.equal(cleanHtml('<a href="https://example.com/a">a</a>'), link)
  assert.equal(cleanHtml('<a href="https://example.com/a" target="_self" rel="opener">a</a>'), link)
  assert.match(cleanHtml('<a href=" https://example.com/a">a</a>'), /target="_blank" rel="noopener nofollow"/)
  assert.match(cleanHtml('<a href="ht\ntps://example.com/a">a</a>'), /target="_blank" rel="noopener nofollow"/)
  assert.match(cleanHtml('<a href="HTTPS://example.com/a">a</a>'), /target="_blank" rel="noopener nofollow"/)
})

test('opens a link within the site and an email address in the same tab', () => {
  assert.equal(cleanHtml('<a href="/rankings" target="_blank">a</a>'), '<a href="/rankings">a</a>')
  assert.equal(cleanHtml('<a href="#top" title="t">a</a>'), '<a href="#top" title="t">a</a>')
  assert.equal(cleanHtml('<a href="mailto:gm@example.ph">a</a>'), '<a href="mailto:gm@example.ph">a</a>')
})

test('makes an excerpt plain text, with spaces between words', () => {
  assert.equal(
    createExcerpt('<h2>Fiesta</h2><p>Sabado<br>ng gabi.</p><ul><li>a</li><li>b</li></ul>', 80),
    'Fiesta Sabado ng gabi. a b',
  )
})

test('decodes HTML entities in an excerpt', () => {
  assert.equal(createExcerpt('<p>5 &lt; 6 &amp; &quot;7&quot;&nbsp;&gt; 6</p>', 80), '5 < 6 & "7" > 6')
  assert.equal(createExcerpt('<p>write &amp;lt;b&amp;gt;</p>', 80), 'write &lt;b&gt;')
})

test('leaves hidden content and addresses out of an excerpt', () => {
  assert.equal(
    createExcerpt('<p>a<!-- c -->b <a href="/news">c</a><script>steal()</script></p><svg>d</svg>', 80),
    'ab c',
  )
  assert.equal(createExcerpt('<figure><img src="/a.png" alt="d"><figcaption>e</figcaption></figure>f', 80), 'e f')
})

test('cuts a long excerpt at its limit, with an ellipsis', () => {
  const shortened = createExcerpt(`<p>${'salita '.repeat(40)}</p>`, 50)
  assert.ok(shortened.length <= 50 && shortened.endsWith('…'), shortened)
  assert.equal(createExcerpt('<p>12345</p>', 5), '12345')
})
