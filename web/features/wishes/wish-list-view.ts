/** The parameter of /wishlist that names a friend's list. The document is the same for every address. */
export const wishSearch = {
  names: ['of'],
  read: (query: URLSearchParams) => ({ of: (query.get('of') ?? '').slice(0, 100) }),
}
