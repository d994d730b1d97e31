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
  const hashes: string[] = []
  const inline = new RegExp(`<script nonce="${mark}"([^>]*)>([\\s\\S]*?)</script>`, 'g')
  for (const [, , body] of html.matchAll(inline)) {
    if (body) hashes.push(hashOf(body))
  }
  return { html: html.replaceAll(` nonce="${mark}"`, ''), hashes }
}
