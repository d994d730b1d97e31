/**
 * The search parameter with the token of a friend's list. Only the browser reads it, so one document serves every
 * address.
 */
export const wishSearch = {
  names: ['of'],
  read: (query: URLSearchParams) => ({ of: (query.get('of') ?? '').slice(0, 100) }),
}
