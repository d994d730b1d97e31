import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

const CHANGELOG_FILE = join(import.meta.dirname, '../../../CHANGELOG.md')

/** Escapes HTML in the changelog. */
const markdown = new MarkdownIt({ html: false })

/** Returns the changelog as HTML without its title, which the screen has; '' without the file. */
export async function readChangelog(): Promise<string> {
  return renderChangelog(await readFile(CHANGELOG_FILE, 'utf8').catch(() => ''))
}

/** Renders a changelog in the form of Keep a Changelog as safe HTML. */
export function renderChangelog(text: string): string {
  const body = text.replace(/^# .*$/m, '').replace(/^## \[(.+?)\]/gm, '## $1')
  return sanitizeHtml(markdown.render(body), {
    allowedTags: ['h2', 'h3', 'p', 'ul', 'ol', 'li', 'strong', 'em', 'code', 'pre', 'a'],
    allowedAttributes: { a: ['href', 'target', 'rel'] },
    allowedSchemes: ['https'],
    allowProtocolRelative: false,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { target: '_blank', rel: 'noopener nofollow' }) },
  })
}
