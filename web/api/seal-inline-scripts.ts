import { createHash } from 'node:crypto'

/** The CSP source of an inline script's text. */
export function hashOf(script: string | Uint8Array): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

const SCRIPT = '<script'
const SCRIPT_END = Buffer.from('</script>')
const TAG_END = '>'.charCodeAt(0)

/**
 * Lists the hashes of the inline scripts that we wrote ourselves: those bearing
 * `mark`, a fresh random nonce nobody else can know. The mark is taken out again,
 * so the same page gives the same bytes and cached copies stay valid.
 *
 * @returns the page's bytes without the marks, and CSP sources such as `'sha256-…'`
 */
export function sealInlineScripts(page: string, mark: string): { html: Buffer<ArrayBuffer>; hashes: string[] } {
  const bytes = Buffer.from(page)
  const attribute = Buffer.from(` nonce="${mark}"`)
  const kept: Buffer[] = []
  const hashes: string[] = []
  let from = 0
  for (let at = bytes.indexOf(attribute); at >= 0; at = bytes.indexOf(attribute, from)) {
    kept.push(bytes.subarray(from, at))
    if (bytes.toString('latin1', at - SCRIPT.length, at) === SCRIPT) {
      const body = bytes.subarray(bytes.indexOf(TAG_END, at) + 1, bytes.indexOf(SCRIPT_END, at))
      if (body.length > 0) hashes.push(hashOf(body))
    }
    from = at + attribute.length
  }
  return { html: Buffer.concat([...kept, bytes.subarray(from)]), hashes }
}
