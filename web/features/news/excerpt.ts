const EXCERPT_MAX = 150

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", nbsp: ' ' }

/** The first words of sanitised HTML as plain text, cut at a word. For people to read, never to be put back into HTML. */
export function excerptOf(html: string, max = EXCERPT_MAX): string {
  const text = html
    .slice(0, 2000)
    .replace(/<(?:"[^"]*"|[^">])*(?:>|"[^"]*$|$)/g, ' ')
    .replace(/&(#?\w{1,6});/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .replace(/ ([.,!?;:])/g, '$1')
    .trim()
  if (text.length <= max) return text
  const cut = text.slice(0, max + 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1)).replace(/[\s.,;:–-]+$/, '')}…`
}
