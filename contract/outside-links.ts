/**
 * Matches web addresses with or without a scheme, addresses of apps (such as tg:), email addresses, and host names.
 */
const ADDRESS_PATTERN = new RegExp(
  [
    String.raw`(?:https?:[\\/]*|\b[a-z][a-z0-9+.-]*:\/\/|[\\/]{2})[^\s"'<>]+`,
    String.raw`\b(?:viber|tg|whatsapp|fb-messenger|magnet|javascript|data):[^\s"'<>]+`,
    String.raw`\bwww\.[^\s"'<>]+`,
    String.raw`[^\s"'<>@:/]+@[^\s"'<>@]+\.[a-z]{2,}`,
    String.raw`(?<![\w/.@-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:[\p{L}]{2,}(?=[/:?#][^\s"'<>])[^\s"'<>]+|(?:com|net|org|info|biz|io|gg|ph|me|co|tv|ly|app|dev|link|site|online|xyz|top|club|shop|live|example)\b(?!\.[\p{L}\p{N}]))`,
  ].join('|'),
  'giu',
)

/** Returns the external web and email addresses in all texts of a value, including addresses that are not links. */
export function findOutsideLinks(value: unknown, publicUrl: string): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).flatMap((nestedValue) => findOutsideLinks(nestedValue, publicUrl))
  if (typeof value !== 'string') return []
  const siteHost = new URL(publicUrl).host
  return (value.match(ADDRESS_PATTERN) ?? []).filter((address) => {
    const host = /^(?:(?:https?:)?\/\/(?:[^\\/?#@]*@)?)?([^\\/?#@]*)/i.exec(address)?.[1]
    return host?.toLowerCase() !== siteHost
  })
}
