import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { hashOf, sealInlineScripts } from '#web/api/seal-inline-scripts.ts'

const MARK = '5f2d9c'
/** The sealed page as text. */
const seal = (page: string, mark: string) => {
  const { html, hashes } = sealInlineScripts(page, mark)
  return { html: html.toString(), hashes }
}
const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('a script is hashed the way a Content-Security-Policy names it', () => {
  assert.equal(hashOf('alert(1)'), sha('alert(1)'))
  assert.equal(hashOf("doSomething('ñ')"), sha("doSomething('ñ')"))
})

test('marked inline scripts are listed by their hashes and lose their mark', () => {
  const sealed = seal(
    `<script nonce="${MARK}">one()</script><p>x</p><script nonce="${MARK}" type="module">two()\nthree()</script>`,
    MARK,
  )
  assert.deepEqual(sealed, {
    html: '<script>one()</script><p>x</p><script type="module">two()\nthree()</script>',
    hashes: [sha('one()'), sha('two()\nthree()')],
  })
})

test('a script that we did not write is not blessed', () => {
  const foreign = '<script>steal()</script><script nonce="guess">steal()</script><script nonce>steal()</script>'
  assert.deepEqual(seal(foreign, MARK), { html: foreign, hashes: [] })
})

test('a foreign script beside one of ours is not blessed with it', () => {
  const { hashes } = seal(`<script>steal()</script><script nonce="${MARK}">ours()</script>`, MARK)
  assert.deepEqual(hashes, [sha('ours()')])
})

test('a marked script from a file needs no hash', () => {
  const { html, hashes } = seal(`<script nonce="${MARK}" src="/assets/a.js"></script>`, MARK)
  assert.deepEqual({ html, hashes }, { html: '<script src="/assets/a.js"></script>', hashes: [] })
})

test('marks leave every other element too, so that the same page gives the same bytes', () => {
  const page = (mark: string) => seal(`<link nonce="${mark}" href="a.css"><script nonce="${mark}">x()</script>`, mark)
  assert.deepEqual(page('111111'), page('222222'))
})
