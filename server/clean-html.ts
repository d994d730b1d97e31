import { compile } from 'html-to-text'
import sanitizeHtml from 'sanitize-html'
import { NEWS_TAGS } from '#contract/news.ts'

/** Elements whose content is never shown as text. */
const HIDDEN_TAGS = ['script', 'style', 'textarea', 'option', 'noscript', 'iframe', 'object', 'svg', 'math', 'title']

/** Elements that begin a new line, which separates the words around them. */
const BLOCK_TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['blockquote', 'pre', 'figure', 'figcaption', 'table', 'caption', 'tr', 'th', 'td', 'div'],
]

const SANITIZE_OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...NEWS_TAGS.editor, ...NEWS_TAGS.html],
  allowedAttributes: {
    a: ['href', 'title', 'rel', 'target'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
  },
  allowedSchemes: ['https', 'mailto'],
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: HIDDEN_TAGS,
  transformTags: {
    h1: 'h2',
    a: (tagName, attribs) => ({
      tagName,
      attribs: isExternalLink(attribs.href)
        ? { ...attribs, target: '_blank', rel: 'noopener nofollow' }
        : { href: attribs.href ?? '', ...(attribs.title === undefined ? {} : { title: attribs.title }) },
    }),
    img: (tagName, attribs) =>
      isExternalLink(attribs.src) ? createPictureLink(attribs) : { tagName, attribs: { ...attribs, loading: 'lazy' } },
  },
}

/** Replaces a picture of another site by a link, because loading it would reveal the readers to that site. */
function createPictureLink({ src = '', alt }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const href = src.replace(/\s+/g, '')
  const text = alt || `Picture on ${URL.parse(href)?.host ?? 'another site'}`
  return { tagName: 'a', attribs: { href, target: '_blank', rel: 'noopener nofollow' }, text }
}

/**
 * Returns whether an address is a full https address. It counts as another site's, even if it is this site's. Browsers
 * and sanitize-html read `ht\ntps:` and ` https:` as https.
 */
function isExternalLink(href = ''): boolean {
  return /^https:/i.test(href.replace(/\s+/g, ''))
}

/** Reduces pasted HTML to the allowed tags and attributes: no scripts, handlers, styles, frames or javascript: links reach a reader. */
export function cleanHtml(html: string): string {
  return sanitizeHtml(html, SANITIZE_OPTIONS)
}

let convertHtml: ReturnType<typeof compile> | undefined

/** Converts HTML to plain text. The first call compiles the selectors, which would delay the site's start by 0.1 seconds. */
function convertToText(html: string): string {
  convertHtml ??= compile({
    wordwrap: false,
    selectors: [
      { selector: 'a', format: 'inline' },
      { selector: 'img', format: 'skip' },
      ...BLOCK_TAGS.map((selector) => ({ selector, format: 'block' })),
      ...HIDDEN_TAGS.map((selector) => ({ selector, format: 'skip' })),
    ],
  })
  return convertHtml(html)
}

/** Returns the plain text of an HTML text, cut with an ellipsis at `length` characters. */
export function createExcerpt(html: string, length: number): string {
  const text = convertToText(html).replace(/\s+/g, ' ').trim()
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`
}
