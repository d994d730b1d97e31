import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { writePost } from '#contract/forum.ts'
import { refuse } from '#server/errors.ts'

/** A picture that a post may show, by its address. */
export type KnownPicture = { url: string; width: number; height: number }

/** The references that a text may use: pictures of its writer, and players by their names in lower case. */
export type Known = { pictures: ReadonlyMap<string, KnownPicture>; mentions: ReadonlySet<string> }

/** `names` gathers those that could be marked. */
type Naming = { mentions?: ReadonlySet<string>; names?: Set<string> }

const NOTHING: Known = { pictures: new Map(), mentions: new Set() }

/** A name behind an @ that is not the end of an address. */
const MENTION = /(?<![\p{L}\p{N}_@./-])(@[\p{L}\p{N}_]{2,20})/u

/** HTML is text here; a line break is one; addresses become links. The shortcuts of typographers are left as typed. */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false })
// `b.ph` may be a file or a slip of the keyboard; an address becomes a link with https:// alone.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

/** Marks the players that the text mentions, except in code, links and quotes. */
markdown.core.ruler.after('linkify', 'mentions', (state) => {
  const { mentions, names } = state.env as Naming
  let quotes = 0
  for (const block of state.tokens) {
    if (block.type === 'blockquote_open') quotes++
    if (block.type === 'blockquote_close') quotes--
    if (quotes > 0) continue
    let links = 0
    block.children = (block.children ?? []).flatMap((token) => {
      if (token.type === 'link_open') links++
      if (token.type === 'link_close') links--
      if (token.type !== 'text' || links > 0) return [token]
      return token.content.split(MENTION).flatMap((piece) => {
        if (piece === '') return []
        const text = new state.Token('text', '', 0)
        text.content = piece
        const name = piece.startsWith('@') ? piece.slice(1).toLowerCase() : ''
        if (name !== '') names?.add(name)
        if (!mentions?.has(name)) return [text]
        return [new state.Token('mark_open', 'mark', 1), text, new state.Token('mark_close', 'mark', -1)]
      })
    })
  }
})

/** A row of a table may omit its cells, and a link may be repeated: the output can be much longer than the text. */
const COLUMNS_MAX = 12
const CELLS_MAX = 600
const HTML_MAX = 80_000
/**
 * Limits for the characters that cost most to parse, because parsing runs on the main thread: a text at these limits
 * takes a few milliseconds.
 */
const COSTLY: readonly (readonly [characters: RegExp, max: number])[] = [
  [/\[/g, 500],
  [/:\/\//g, 200],
  [/[*_~`<&|]/g, 2000],
  [/\n/g, 1500],
]
/** The maximum length of a text after folding. A character such as U+FDFA folds to a whole sentence. */
const FOLDED_MAX = 20_000

/** The line below the heads of a table, also in a quote or a list. */
const isTableRule = (line: string) => /^[-+*\d.)>\s:|]*$/.test(line)

const tooMuch = () => refuse(writePost, 'tooMuchMarkup')

markdown.core.ruler.after('block', 'table-limit', ({ tokens }) => {
  if (tokens.filter(({ type }) => type === 'th_open' || type === 'td_open').length > CELLS_MAX) throw tooMuch()
})

const TAGS = [
  ...['p', 'br', 'hr', 'h3', 'h4', 'strong', 'em', 's', 'mark', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote'],
  ...['a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
]

/** The allowed HTML, independent of the Markdown. */
const options = ({ pictures }: Known, ownHost: string): sanitizeHtml.IOptions => ({
  allowedTags: TAGS,
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    ol: ['start'],
  },
  allowedSchemes: ['https', 'http'],
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    // The page has the first and second level.
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
    a: (_, { href = '' }) => ({ tagName: 'a', attribs: linkAttributes(href, ownHost) }),
    img: (_, { src = '', alt = '' }) => {
      const picture = pictures.get(src)
      if (picture === undefined)
        return { tagName: 'a', attribs: linkAttributes(src, ownHost), text: alt.trim() || 'Picture' }
      const { width, height } = picture
      return { tagName: 'img', attribs: { src, alt, width: String(width), height: String(height), loading: 'lazy' } }
    },
  },
})

function linkAttributes(href: string, ownHost: string): sanitizeHtml.Attributes {
  return isForeign(href, ownHost) ? { href, target: '_blank', rel: 'noopener nofollow ugc' } : { href }
}

/** Whether an address is of another site, as a browser would read it on ours. */
function isForeign(href: string, ownHost: string): boolean {
  const url = URL.parse(href, `https://${ownHost}`)
  return url === null || url.host !== ownHost
}

/**
 * The names behind @ in a text that are marked where a player has them, in small letters, each once.
 *
 * @throws Refusal 422 as renderMarkdown does
 */
export function namesIn(body: string): string[] {
  const names = new Set<string>()
  if (MENTION.test(body)) parseText(body, { names })
  return [...names]
}

function parseText(body: string, env: Naming) {
  if (COSTLY.some(([characters, max]) => (body.match(characters)?.length ?? 0) > max)) throw tooMuch()
  // Before the cells of a wide table are made.
  if (body.split('\n').some((line) => isTableRule(line) && line.split('|').length > COLUMNS_MAX + 2)) throw tooMuch()
  return markdown.parse(body, env)
}

/** The addresses of uploaded pictures in a text, each once. */
export function picturesIn(body: string): string[] {
  return [...new Set(body.match(/\/(?:files\/[0-9a-f]{64}|art\/[\w-]+)\.(?:webp|jpg)/g))]
}

/**
 * Turns a player's Markdown into HTML: no HTML of their own, no script, style or frame, links of other sites marked as
 * such, and no pictures but those that were uploaded here.
 *
 * @param known the pictures and players that the text may name
 * @param ownHost the host of this site, whose links are not foreign
 * @throws Refusal 422 for a text that would be far longer as HTML
 */
export function renderMarkdown(body: string, ownHost: string, known: Known = NOTHING): string {
  const html = markdown.renderer.render(parseText(body, known), markdown.options, known)
  if (html.length > HTML_MAX) throw tooMuch()
  return sanitizeHtml(html, options(known, ownHost))
    .replace(/\p{Bidi_Control}/gu, '')
    .trim()
}

const SIGNS: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
const INLINE = /<\/?(?:a|code|em|mark|s|strong)(?: [^>]*)?>/g

/** Returns the text of rendered HTML as a reader sees it: a tag inside a word does not split it. */
const extractText = (html: string) =>
  html
    .replace(INLINE, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|amp);/g, (sign) => SIGNS[sign] ?? sign)

/** Returns the text of rendered HTML, with the addresses of its links and the texts of its pictures. */
export function readHtml(html: string): string {
  const unseen = [...html.matchAll(/ (?:href|alt)="([^"]*)"/g)].map(([, value = '']) => value)
  return [extractText(html), ...unseen.map(extractText)].join('\n')
}

/**
 * Returns a text without accents, invisible characters and other forms of the same letters: letters that look alike become
 * the same.
 *
 * @throws Refusal 422 for a text that is far longer without them
 */
export function plainLetters(text: string): string {
  const letters = text.normalize('NFKD').replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  // Syllables of Hangul become one character again.
  const composed = letters.normalize('NFC')
  if (composed.length > FOLDED_MAX) throw tooMuch()
  return composed
}

/** Finds possible addresses, even without https://. */
const addresses = new MarkdownIt().linkify
  .set({ fuzzyLink: true })
  .tlds('xyz top site online club store app link click icu vip bet casino games dev website'.split(' '), true)
/** After a full stop without a space, the next word may look like a country's domain. */
const SLIP = /^(?!www\.)[^/]*\.(?:as|at|ba|be|do|in|is|it|la|mo|my|na|ng|ni|no|pa|sa|si|so|to)$/i

/** Counts the links to other sites in rendered HTML, and the addresses in it or in `lines` as plain text. */
export function countLinks(html: string, { ownHost, lines = '' }: { ownHost: string; lines?: string }): number {
  const links = html.match(/<a [^>]*rel="noopener nofollow ugc"/g)?.length ?? 0
  const text = plainLetters(`${lines}\n${extractText(html.replace(/<a [^>]*>.*?<\/a>/gs, ' '))}`)
  const found = addresses.match(text) ?? []
  return (
    links +
    found.filter(({ schema, raw, url }) => schema !== 'mailto:' && !SLIP.test(raw) && isForeign(url, ownHost)).length
  )
}
