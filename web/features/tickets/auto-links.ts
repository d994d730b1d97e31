export type TextPart = { text: string; href?: string }

const URL_PATTERN = /https?:\/\/[^\s<>"']+/g

/**
 * Returns the address without the sentence's punctuation, and without a closing bracket that was opened before the
 * address.
 */
function trimAddress(address: string): string {
  const trimmedAddress = address.replace(/[.,!?:;'"*_]+$/, '')
  return trimmedAddress.endsWith(')') && !trimmedAddress.includes('(')
    ? trimAddress(trimmedAddress.slice(0, -1))
    : trimmedAddress
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
  let partStart = 0
  for (const match of text.matchAll(URL_PATTERN)) {
    const address = trimAddress(match[0])
    if (!isWebAddress(address)) continue
    if (match.index > partStart) parts.push({ text: text.slice(partStart, match.index) })
    parts.push({ text: address, href: address })
    partStart = match.index + address.length
  }
  if (partStart < text.length) parts.push({ text: text.slice(partStart) })
  return parts
}
