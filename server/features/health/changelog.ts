import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

const FILE = join(import.meta.dirname, '../../../CHANGELOG.md')

/** HTML in the text is text. */
const markdown = new MarkdownIt({ html: false })

/** The changelog as the desk shows it, below the title that its screen has. A checkout without the file has none. */
export async function readChangelog(): Promise<string> {
  return renderChangelog(await readFile(FILE, 'utf8').catch(() => ''))
}

/** Makes safe HTML of a changelog in the form of Keep a Changelog. */
export function renderChangelog(text: string): string {
  const below = text.replace(/^# .*$/m, '').replace(/^## \[(.+?)\]/gm, '## $1')
  return sanitizeHtml(markdown.render(below), {
    allowedTags: ['h2', 'h3', 'p', 'ul', 'ol', 'li', 'strong', 'em', 'code', 'pre', 'a'],
    allowedAttributes: { a: ['href', 'target', 'rel'] },
    allowedSchemes: ['https'],
    allowProtocolRelative: false,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { target: '_blank', rel: 'noopener nofollow' }) },
  })
}
