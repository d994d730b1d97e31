/** The words of wish lists. */
export const WISHES = {
  title: 'Wish List',
  line: 'What you would love to have. Friends see it with your link and can send you something.',
  add: 'Add to wish list',
  added: 'It is on your wish list.',
  removed: 'It is no longer on your wish list.',
  shared: 'Your new link is ready. Earlier links no longer work.',
  hidden: 'Nobody else sees your wish list now.',
  noList: 'There is no wish list behind this link. It may have been renewed.',
  empty: 'Your wish list is empty',
  emptyLine: 'Open an item in the shop and put it on your list.',
  failed: 'We couldn’t load this wish list.',
} as const

export const WISHES_MAX = 100
