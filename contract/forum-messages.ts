import { formatCount } from './numbers.ts'
/** Why a player reports a post. */
export const REPORT_REASONS = {
  spam: 'Spam or advertising',
  insult: 'Insults or threats',
  cheating: 'Cheats, bots or hacks',
  scam: 'A scam, or selling accounts',
  personal: 'Somebody’s personal data',
  other: 'Something else',
} as const

export type ReportReason = keyof typeof REPORT_REASONS

/** What became of a post that readers saw once: its author deleted it, a moderator removed it, or it waits for one. */
export const TOMBSTONES = {
  deleted: 'This post was deleted by its author.',
  removed: 'A moderator removed this post.',
  waiting: 'This post is waiting for a moderator.',
} as const

export type Tombstone = keyof typeof TOMBSTONES

/** Why a post waits for a moderator. */
export const HOLD_REASONS = {
  'first posts': 'First posts of a new player',
  links: 'Links by a new player',
  words: 'A watched word',
  typing: 'Written very fast',
} as const

export type HoldReason = keyof typeof HOLD_REASONS

export const FORUM_PAGE_SIZE = 20
/** Older topics of a board are reached from the last of these pages, so that no page costs more than another. */
export const FORUM_BOARD_PAGES_MAX = 50
export const FORUM_TITLE_MIN = 3
export const FORUM_TITLE_MAX = 120
export const FORUM_BODY_MAX = 10_000
export const FORUM_OPTIONS_MAX = 10
export const FORUM_OPTION_MAX = 80
export const FORUM_REPORT_WORDS_MAX = 500
/** The larger and the smaller side of a picture's two copies, in pixels. */
export const FORUM_PICTURE_PX = 1600
export const FORUM_SMALL_PICTURE_PX = 480
export const FORUM_PICTURES_MAX = 10
export const FORUM_MENTIONS_MAX = 10

/** The words of the forum. */
export const FORUM = {
  title: 'Forum',
  line: 'Ask, answer, show off and hang out.',
  noBoard: 'There is no such board.',
  noTopic: 'This topic is not here. It may have been removed.',
  noPost: 'This post is not here. It may have been removed.',
  titleRequired: 'Give your topic a title.',
  titleTooShort: `A title needs at least ${FORUM_TITLE_MIN} characters.`,
  titleTooLong: `A title can have at most ${FORUM_TITLE_MAX} characters.`,
  titleControl: 'A title is one line of plain text.',
  bodyRequired: 'Write something first.',
  bodyTooLong: `A post can have at most ${formatCount(FORUM_BODY_MAX)} characters.`,
  bodyControl: 'The text has characters that cannot be stored.',
  questionRequired: 'A poll needs a question.',
  optionsFew: 'A poll needs at least two answers.',
  optionsMany: `A poll can have at most ${FORUM_OPTIONS_MAX} answers.`,
  optionWrong: `An answer needs 1 to ${FORUM_OPTION_MAX} characters.`,
  optionsSame: 'Two answers of the poll are the same.',
  choicesWrong: 'Players cannot choose more answers than there are.',
  daysWrong: 'A poll runs for 1 to 90 days.',
  reasonRequired: 'Choose what is wrong with the post.',
  reportTooLong: `Use at most ${FORUM_REPORT_WORDS_MAX} characters.`,
  posted: 'Posted.',
  held: 'Thank you! A moderator reads this first; it will appear soon.',
  edited: 'Changed.',
  deleted: 'Deleted.',
  reported: 'Thank you. A moderator will look at it.',
  alreadyReported: 'You have already reported this post. A moderator will look at it.',
  reportOwn: 'This is your own post.',
  likeOwn: 'You cannot like your own post.',
  notYours: 'This is someone else’s post.',
  locked: 'This topic is closed: nobody can reply any more.',
  readOnly: 'Only the team can post in this board.',
  pollClosed: 'This poll is over.',
  noPoll: 'This topic has no poll.',
  optionUnknown: 'Choose one of the answers.',
  choicesMany: 'That is more answers than you can choose.',
  confirmEmail: 'Confirm your email first. You can have the link mailed again on My Account.',
  refusedWord: 'Your text has a word that nobody can post here.',
  tooMuchMarkup: 'This is too much for one post. Use smaller tables and fewer links.',
  tooManyPictures: `A post can show at most ${FORUM_PICTURES_MAX} pictures.`,
  tooManyUploads: 'That is enough pictures for today. Please try again tomorrow.',
  allRead: 'Everything is marked as read.',
} as const

/** What is missing to write in a board. */
export const levelNeeded = (level: number) => `You need a character of level ${level} to write here.`
export const characterNeeded = 'You need a character to write here. Create one in the game first.'
export const silencedUntil = (until: string, reason: string) => `You cannot write until ${until}. ${reason}`
export const linksNeeded = (most: number) =>
  most === 0
    ? 'New players cannot post links yet. Write a few posts first.'
    : `New players can post ${most === 1 ? 'one link' : `${most} links`} at most. Write a few posts first.`
export const postsPerHour = (most: number) =>
  `You have written ${most === 1 ? 'a post' : `${most} posts`} in the last hour. Please take a short break.`

/** The address of a board, of a topic, and of a post in it (DECISIONS §5). */
export const boardPath = (category: number, page = 1) => `/forum/${category}${page > 1 ? `?page=${page}` : ''}`
export const topicPath = (category: number, topic: number, page = 1) =>
  `/forum/${category}/${topic}${page > 1 ? `?page=${page}` : ''}`
/** The page that a post is on: every page has the same numbers for ever. */
export const pageOfNumber = (number: number) => Math.max(1, Math.ceil(number / FORUM_PAGE_SIZE))
export const postPath = (category: number, topic: number, number: number) =>
  `${topicPath(category, topic, pageOfNumber(number))}#post-${number}`
