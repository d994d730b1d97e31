/**
 * Where a visitor wanted to go, if that is a path of this site: it starts with one slash, and nothing in it can
 * make a browser read it as another address. /login itself is no place to come back to.
 *
 * @returns the path, or `/`
 */
export function ownPath(wanted: string | null): string {
  if (wanted === null || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(wanted)) return '/'
  return /^\/login(?![^/?#])/i.test(wanted) ? '/' : wanted
}

/** The address of /login that comes back to a path afterwards. */
export function loginPathFor(wanted: string): string {
  const next = ownPath(wanted)
  return next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`
}
