import { createHash } from 'node:crypto'

/** The CSP source of an inline script's text. */
export function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

/**
 * Lists the hashes of the inline scripts that we wrote ourselves: those bearing
 * `mark`, a fresh random nonce nobody else can know. The mark is taken out again,
 * so the same page gives the same bytes and cached copies stay valid.
 *
 * @returns the page without the marks, and CSP sources such as `'sha256-…'`
 */
export function sealInlineScripts(html: string, mark: string): { html: string; hashes: string[] } {
  const parts = html.split(` nonce="${mark}"`)
  const hashes: string[] = []
  for (let at = 1; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const body = part.slice(part.indexOf('>') + 1, part.indexOf('</script>'))
    if (parts[at - 1]?.endsWith('<script') && body !== '') hashes.push(hashOf(body))
  }
  return { html: parts.join(''), hashes }
}
