export type TextPart = { text: string; href?: string }

const ADDRESS = /https?:\/\/[^\s<>"']+/g

/**
 * Returns the address without the sentence's punctuation, and without a closing bracket that was opened before the
 * address.
 */
function trimAddress(address: string): string {
  const bare = address.replace(/[.,!?:;'"*_]+$/, '')
  return bare.endsWith(')') && !bare.includes('(') ? trimAddress(bare.slice(0, -1)) : bare
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/**
 * Splits a text into web addresses and the rest, without changing a character. Only http and https addresses become
 * links, and none with a user name before the host.
 */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimAddress(match[0])
    if (!isWebAddress(address)) continue
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ text: address, href: address })
    from = match.index + address.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}
