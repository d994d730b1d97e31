import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { writePost } from '#contract/forum.ts'
import { refuse } from '#server/errors.ts'

/** A picture that a post may show, by its address. */
export type KnownPicture = { url: string; width: number; height: number }

/** The references that a text may use: pictures of its writer, and players by their names in lower case. */
export type KnownReferences = { pictures: ReadonlyMap<string, KnownPicture>; mentions: ReadonlySet<string> }

/** `names` collects the names that could be mentions. */
type MentionEnv = { mentions?: ReadonlySet<string>; names?: Set<string> }

const NO_REFERENCES: KnownReferences = { pictures: new Map(), mentions: new Set() }

/** Matches a name after an @ that does not follow a letter, as it would in an email address. */
const MENTION_PATTERN = /(?<![\p{L}\p{N}_@./-])(@[\p{L}\p{N}_]{2,20})/u

/** Shows HTML as text, keeps line breaks, and turns addresses into links. */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false })
// Only addresses with https:// become links, because `b.ph` may be a file name or a typing error.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

/** Marks the players that the text mentions, except in code, links and quotes. */
markdown.core.ruler.after('linkify', 'mentions', (state) => {
  const { mentions, names } = state.env as MentionEnv
  let quoteDepth = 0
  for (const block of state.tokens) {
    if (block.type === 'blockquote_open') quoteDepth++
    if (block.type === 'blockquote_close') quoteDepth--
    if (quoteDepth > 0) continue
    let linkDepth = 0
    block.children = (block.children ?? []).flatMap((token) => {
      if (token.type === 'link_open') linkDepth++
      if (token.type === 'link_close') linkDepth--
      if (token.type !== 'text' || linkDepth > 0) return [token]
      return token.content.split(MENTION_PATTERN).flatMap((part) => {
        if (part === '') return []
        const text = new state.Token('text', '', 0)
        text.content = part
        const name = part.startsWith('@') ? part.slice(1).toLowerCase() : ''
        if (name !== '') names?.add(name)
        if (!mentions?.has(name)) return [text]
        return [new state.Token('mark_open', 'mark', 1), text, new state.Token('mark_close', 'mark', -1)]
      })
    })
  }
})

// The HTML can be much longer than the text, because rows of a table can omit cells and links can be repeated.
const COLUMNS_MAX = 12
const CELLS_MAX = 600
const HTML_MAX = 80_000
/**
 * Limits for the characters that take longest to parse. Parsing blocks the main thread; a text at these limits takes a few
 * milliseconds.
 */
const COSTLY_CHARACTERS: readonly (readonly [characters: RegExp, max: number])[] = [
  [/\[/g, 500],
  [/:\/\//g, 200],
  [/[*_~`<&|]/g, 2000],
  [/\n/g, 1500],
]
/** The maximum length of a text after folding. A character such as U+FDFA folds to a whole sentence. */
const FOLDED_TEXT_MAX = 20_000

/** Returns whether a line is the rule below the heads of a table, which may be in a quote or a list. */
const isTableRule = (line: string) => /^[-+*\d.)>\s:|]*$/.test(line)

const createMarkupRefusal = () => refuse(writePost, 'tooMuchMarkup')

markdown.core.ruler.after('block', 'table-limit', ({ tokens }) => {
  if (tokens.filter(({ type }) => type === 'th_open' || type === 'td_open').length > CELLS_MAX)
    throw createMarkupRefusal()
})

const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'h3', 'h4', 'strong', 'em', 's', 'mark', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote'],
  ...['a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
]

/** Returns the allowed HTML, as a second check after the Markdown parser. */
const createSanitizeOptions = ({ pictures }: KnownReferences, ownHost: string): sanitizeHtml.IOptions => ({
  allowedTags: ALLOWED_TAGS,
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
    // The page itself uses the headings of the first two levels.
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
    a: (_, { href = '' }) => ({ tagName: 'a', attribs: createLinkAttributes(href, ownHost) }),
    img: (_, { src = '', alt = '' }) => {
      const picture = pictures.get(src)
      if (picture === undefined)
        return { tagName: 'a', attribs: createLinkAttributes(src, ownHost), text: alt.trim() || 'Picture' }
      const { width, height } = picture
      return { tagName: 'img', attribs: { src, alt, width: String(width), height: String(height), loading: 'lazy' } }
    },
  },
})

function createLinkAttributes(href: string, ownHost: string): sanitizeHtml.Attributes {
  return isOtherSite(href, ownHost) ? { href, target: '_blank', rel: 'noopener nofollow ugc' } : { href }
}

/** Returns whether a browser on a page of this site would resolve an address to another site. */
function isOtherSite(href: string, ownHost: string): boolean {
  const url = URL.parse(href, `https://${ownHost}`)
  return url === null || url.host !== ownHost
}

/**
 * Returns the names after an @ in a text, in lower case, each once.
 *
 * @throws Refusal 422 for too much markup
 */
export function findMentionNames(body: string): string[] {
  const names = new Set<string>()
  if (MENTION_PATTERN.test(body)) parseText(body, { names })
  return [...names]
}

function parseText(body: string, env: MentionEnv) {
  if (COSTLY_CHARACTERS.some(([characters, max]) => (body.match(characters)?.length ?? 0) > max))
    throw createMarkupRefusal()
  // Checked before rendering, because a wide table has very many cells.
  if (body.split('\n').some((line) => isTableRule(line) && line.split('|').length > COLUMNS_MAX + 2))
    throw createMarkupRefusal()
  return markdown.parse(body, env)
}

/** Returns the addresses of uploaded pictures in a text, each once. */
export function findPictures(body: string): string[] {
  return [...new Set(body.match(/\/(?:files\/[0-9a-f]{64}|art\/[\w-]+)\.(?:webp|jpg)/g))]
}

/**
 * Renders a player's Markdown as HTML without scripts, styles and frames. HTML in the text is shown as text, links to other
 * sites are marked, and only uploaded pictures are shown.
 *
 * @param references the pictures that the text may show and the players that it may mention
 * @param ownHost the host of this site
 * @throws Refusal 422 for too much markup, and for a text whose HTML would be too long
 */
export function renderMarkdown(body: string, ownHost: string, references: KnownReferences = NO_REFERENCES): string {
  const html = markdown.renderer.render(parseText(body, references), markdown.options, references)
  if (html.length > HTML_MAX) throw createMarkupRefusal()
  return sanitizeHtml(html, createSanitizeOptions(references, ownHost))
    .replace(/\p{Bidi_Control}/gu, '')
    .trim()
}

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
const INLINE_TAGS = /<\/?(?:a|code|em|mark|s|strong)(?: [^>]*)?>/g

/** Returns the text of rendered HTML as a reader sees it. A tag inside a word does not split the word. */
const extractText = (html: string) =>
  html
    .replace(INLINE_TAGS, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)

/** Returns the text of rendered HTML, with the addresses of its links and the texts of its pictures. */
export function extractAllText(html: string): string {
  const attributeTexts = [...html.matchAll(/ (?:href|alt)="([^"]*)"/g)].map(([, value = '']) => value)
  return [extractText(html), ...attributeTexts.map(extractText)].join('\n')
}

/**
 * Folds a text for comparisons: removes accents and invisible characters, and replaces full-width and styled letters with
 * plain ones.
 *
 * @throws Refusal 422 for a text that is far longer afterwards
 */
export function toPlainLetters(text: string): string {
  const letters = text.normalize('NFKD').replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  // Composes the syllables of Hangul again.
  const composed = letters.normalize('NFC')
  if (composed.length > FOLDED_TEXT_MAX) throw createMarkupRefusal()
  return composed
}

/** Finds possible addresses, even without https://. */
const addressFinder = new MarkdownIt().linkify
  .set({ fuzzyLink: true })
  .tlds('xyz top site online club store app link click icu vip bet casino games dev website'.split(' '), true)
/** After a full stop without a space, the next word may look like a country's domain. */
const FALSE_DOMAIN_PATTERN = /^(?!www\.)[^/]*\.(?:as|at|ba|be|do|in|is|it|la|mo|my|na|ng|ni|no|pa|sa|si|so|to)$/i

/** Counts links to other sites in rendered HTML, and their addresses in its text or in `lines`, the title and the poll. */
export function countLinks(html: string, { ownHost, lines = '' }: { ownHost: string; lines?: string }): number {
  const links = html.match(/<a [^>]*rel="noopener nofollow ugc"/g)?.length ?? 0
  const text = toPlainLetters(`${lines}\n${extractText(html.replace(/<a [^>]*>.*?<\/a>/gs, ' '))}`)
  const matches = addressFinder.match(text) ?? []
  return (
    links +
    matches.filter(
      ({ schema, raw, url }) => schema !== 'mailto:' && !FALSE_DOMAIN_PATTERN.test(raw) && isOtherSite(url, ownHost),
    ).length
  )
}
