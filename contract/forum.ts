import { z } from 'zod'
import * as f from 'zod/mini'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { lineField, linesField } from './fields.ts'
import { FORUM_BOOKMARKS_MAX } from './limits.ts'
import { formatCount } from './numbers.ts'
import { pagingFields, wholeNumberParam } from './paging.ts'
import { offsetMoment } from './scalars.ts'
import { SCREENSHOT_TEXTS } from './tickets.ts'

const forum = declareCalls('forum', 'player')

/** The reasons for a player's report of a post. */
export const REPORT_REASONS = {
  spam: 'Spam or advertising',
  insult: 'Insults or threats',
  cheating: 'Cheats, bots or hacks',
  scam: 'A scam, or selling accounts',
  personal: 'Another person’s personal data',
  other: 'Something else',
} as const

export type ReportReason = keyof typeof REPORT_REASONS

/**
 * The reasons why a published post is hidden: its author deleted it, a moderator removed it, or it waits for a
 * moderator.
 */
export const TOMBSTONES = {
  deleted: 'This post was deleted by its author.',
  removed: 'A moderator removed this post.',
  waiting: 'This post is waiting for a moderator.',
} as const

export type Tombstone = keyof typeof TOMBSTONES

/** The reasons why a post waits for a moderator. */
export const HOLD_REASONS = {
  'first posts': 'First posts of a new player',
  links: 'Links by a new player',
  words: 'A watched word',
  typing: 'Written very fast',
} as const

export type HoldReason = keyof typeof HOLD_REASONS

/** The emblems that a board can have, by the names of their drawings' files. */
export const BOARD_EMBLEMS = {
  talk: 'Speech bubbles',
  plan: 'A plan',
  picture: 'A picture',
  friends: 'Friends',
  tongues: 'A globe',
  banner: 'A banner',
  bulb: 'A light bulb',
  note: 'A note',
} as const

export type BoardEmblem = keyof typeof BOARD_EMBLEMS

export const FORUM_PAGE_SIZE = 20
/** The maximum numbers of active topics and of latest posts in the forum's activity. */
export const FORUM_HOT_MAX = 6
export const FORUM_LATEST_MAX = 6
/** The number of latest authors shown for a board. */
export const FORUM_LAST_WRITERS_MAX = 3
/** The maximum number of pages of a board. Later pages would be slow, so the last page links to the older topics. */
export const FORUM_BOARD_PAGES_MAX = 50
export const FORUM_TITLE_MIN = 3
export const FORUM_TITLE_MAX = 120
export const FORUM_BODY_MAX = 10_000
export const FORUM_OPTIONS_MAX = 10
export const FORUM_OPTION_MAX = 80
export const FORUM_REPORT_TEXT_MAX = 500
/** The length of the longer side of a picture's two copies, in pixels. */
export const FORUM_PICTURE_PX = 1600
export const FORUM_SMALL_PICTURE_PX = 480
export const FORUM_PICTURES_MAX = 10
export const FORUM_MENTIONS_MAX = 10

/** The texts of the forum. */
export const FORUM_TEXTS = {
  title: 'Forum',
  line: 'Ask, answer, show off and hang out.',
  boardNotFound: 'There is no such board.',
  topicNotFound: 'This topic is not here. It may have been removed.',
  postNotFound: 'This post is not here. It may have been removed.',
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
  reportTooLong: `Use at most ${FORUM_REPORT_TEXT_MAX} characters.`,
  posted: 'Posted.',
  held: 'Thank you! A moderator reads this first; it will appear soon.',
  edited: 'Changed.',
  deleted: 'Deleted.',
  reported: 'Thank you. A moderator will look at it.',
  alreadyReported: 'You have already reported this post. A moderator will look at it.',
  reportOwn: 'This is your own post.',
  likeOwn: 'You cannot like your own post.',
  notYours: 'This is someone else’s post.',
  locked: 'This topic is closed. You can’t reply any more.',
  readOnly: 'Only the team can post in this board.',
  pollClosed: 'This poll is over.',
  pollNotFound: 'This topic has no poll.',
  optionUnknown: 'Choose one of the answers.',
  choicesMany: 'That is more answers than you can choose.',
  confirmEmail: 'Confirm your email first. You can have the link mailed again on My Account.',
  refusedWord: 'Your text has a word that isn’t allowed here.',
  tooMuchMarkup: 'This is too much for one post. Use smaller tables and fewer links.',
  tooManyPictures: `A post can show at most ${FORUM_PICTURES_MAX} pictures.`,
  tooManyUploads: 'That is enough pictures for today. Please try again tomorrow.',
  allRead: 'Everything is marked as read.',
  bookmarks: 'Bookmarks',
  bookmarksLine: 'The topics that you want to find again.',
  bookmarksFull: `You can have at most ${FORUM_BOOKMARKS_MAX} bookmarks. Remove one first.`,
} as const

/** Returns the requirement for writing in a board. */
export const formatLevelNeeded = (level: number) => `You need a character of level ${level} to write here.`
export const CHARACTER_NEEDED = 'You need a character to write here. Create one in the game first.'
export const formatSilence = (until: string, reason: string) => `You cannot write until ${until}. ${reason}`
export const formatLinkLimit = (max: number) =>
  max === 0
    ? 'New players cannot post links yet. Write a few posts first.'
    : `New players can post ${max === 1 ? 'one link' : `${max} links`} at most. Write a few posts first.`
export const formatHourlyLimit = (max: number) =>
  `You have written ${max === 1 ? 'a post' : `${max} posts`} in the last hour. Please take a short break.`

/** The page of a player's bookmarks. */
export const BOOKMARKS_PATH = '/forum/bookmarks'
/** Returns the address of a board (FORUM-1). */
export const getBoardPath = (category: number, page = 1) => `/forum/${category}${page > 1 ? `?page=${page}` : ''}`
/** Returns the address of a topic (FORUM-1). */
export const getForumTopicPath = (category: number, topic: number, page = 1) =>
  `/forum/${category}/${topic}${page > 1 ? `?page=${page}` : ''}`
/** Returns the page of a post. A post's number never changes. */
export const getPageOfPost = (number: number) => Math.max(1, Math.ceil(number / FORUM_PAGE_SIZE))
/** Returns the address of a post (FORUM-1). */
export const getForumPostPath = (category: number, topic: number, number: number) =>
  `${getForumTopicPath(category, topic, getPageOfPost(number))}#post-${number}`

const EMBLEM_NAMES = Object.keys(BOARD_EMBLEMS) as [BoardEmblem, ...BoardEmblem[]]
export const emblemField = f.enum(EMBLEM_NAMES, 'Choose an emblem.')

const REPORT_REASON_NAMES = Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]]

export const titleField = lineField(FORUM_TITLE_MAX, FORUM_TEXTS.titleRequired, {
  tooLong: FORUM_TEXTS.titleTooLong,
  characters: FORUM_TEXTS.titleControl,
}).check(f.minLength(FORUM_TITLE_MIN, FORUM_TEXTS.titleTooShort))

/** The rule of a post's text in Markdown. */
export const bodyField = linesField(FORUM_BODY_MAX, FORUM_TEXTS.bodyRequired, {
  tooLong: FORUM_TEXTS.bodyTooLong,
  characters: FORUM_TEXTS.bodyControl,
})

const pollLineField = (max: number, rule: string) => lineField(max, rule, { tooLong: rule, characters: rule })

const pollField = f
  .object({
    question: pollLineField(FORUM_TITLE_MAX, FORUM_TEXTS.questionRequired),
    options: f
      .array(pollLineField(FORUM_OPTION_MAX, FORUM_TEXTS.optionWrong))
      .check(f.minLength(2, FORUM_TEXTS.optionsFew), f.maxLength(FORUM_OPTIONS_MAX, FORUM_TEXTS.optionsMany)),
    choices_max: f.int(FORUM_TEXTS.choicesWrong).check(f.minimum(1, FORUM_TEXTS.choicesWrong)),
    /** The duration in days; null for a poll without an end. */
    days: f.nullable(
      f.int(FORUM_TEXTS.daysWrong).check(f.minimum(1, FORUM_TEXTS.daysWrong), f.maximum(90, FORUM_TEXTS.daysWrong)),
    ),
  })
  .check(
    f.refine(({ options, choices_max }) => choices_max <= options.length, FORUM_TEXTS.choicesWrong),
    f.refine(
      ({ options }) => new Set(options.map((option) => option.toLowerCase())).size === options.length,
      FORUM_TEXTS.optionsSame,
    ),
  )

/** The time spent typing, in ms. */
const typingField = f._default(f.int().check(f.minimum(0), f.maximum(86_400_000)), 0)

export const topicForm = f.object({
  title: titleField,
  body: bodyField,
  poll: f.optional(f.nullable(pollField)),
  typing_ms: typingField,
})

export const replyForm = f.object({ body: bodyField, typing_ms: typingField })

/** `title` is used only for the first post of a topic. */
export const editForm = f.object({ body: bodyField, title: f.optional(titleField) })

export const reportForm = f.object({
  reason: f.enum(REPORT_REASON_NAMES, FORUM_TEXTS.reasonRequired),
  words: f._default(linesField(FORUM_REPORT_TEXT_MAX, undefined, { tooLong: FORUM_TEXTS.reportTooLong }), ''),
})

const FORUM_CACHE_MS = 10_000
const page = wholeNumberParam('Page')
  .optional()
  .meta({ description: `${FORUM_PAGE_SIZE} per page` })

/** The public author of a text: the main character, never the user ID. */
export const authorSchema = z
  .object({
    name: z.string().meta({ description: 'The name of the main character, which is the one of the highest level' }),
    ChaNum: z.int().nullable().meta({ description: 'null for an account without characters' }),
    ChaLevel: z.int().nullable(),
    ChaClass: z.string().nullable(),
    ChaSchool: z.int().nullable(),
    is_staff: z.boolean(),
    posts: z.int().meta({ description: 'How many posts readers can see' }),
  })
  .meta({ id: 'ForumAuthor' })
export type ForumAuthor = z.infer<typeof authorSchema>

const boardFields = {
  category: z.int(),
  name: z.string(),
  description: z.string(),
  is_gallery: z.boolean(),
  level_needed: z.int(),
  read_only: z.boolean(),
  emblem: z.enum(EMBLEM_NAMES),
}

export const boardSchema = z.object(boardFields).meta({ id: 'ForumBoard' })

const lastPostSchema = z.object({
  topic: z.int(),
  title: z.string(),
  number: z.int().meta({ description: 'The number of the newest post in its topic' }),
  at: offsetMoment,
  author: z.string(),
})

export const topicRowSchema = z
  .object({
    topic: z.int(),
    category: z.int(),
    title: z.string(),
    author: authorSchema,
    pinned: z.boolean(),
    locked: z.boolean(),
    has_poll: z.boolean(),
    picture: z.string().nullable().meta({ description: 'A small copy of its first picture' }),
    posts: z.int(),
    replies: z.int().meta({ description: 'The number of visible posts, not counting the opening post' }),
    last_number: z.int(),
    views: z.int(),
    created_at: offsetMoment,
    last_post_at: offsetMoment,
    last_author: z.string(),
    last_writer: authorSchema,
  })
  .meta({ id: 'ForumTopicRow' })
export type ForumTopicRow = z.infer<typeof topicRowSchema>

const TOMBSTONE_NAMES = Object.keys(TOMBSTONES) as [keyof typeof TOMBSTONES, ...(keyof typeof TOMBSTONES)[]]

export const postSchema = z
  .object({
    post: z.int(),
    number: z.int().meta({ description: 'Its number in the topic, from 1; it never changes' }),
    author: authorSchema,
    tombstone: z.enum(TOMBSTONE_NAMES).nullable().meta({ description: 'Why its text is hidden; `html` is empty then' }),
    html: z.string().meta({ description: 'Sanitised HTML' }),
    created_at: offsetMoment,
    edited_at: offsetMoment.nullable(),
    likes: z.int(),
  })
  .meta({ id: 'ForumPost' })
export type ForumPost = z.infer<typeof postSchema>

export const pollSchema = z.object({
  question: z.string(),
  choices_max: z.int(),
  closes_at: offsetMoment.nullable(),
  voters: z.int(),
  options: z.array(z.object({ option: z.int(), words: z.string(), votes: z.int() })),
})

export type ForumPoll = z.infer<typeof pollSchema>

const boardNotFound = { status: 404, message: FORUM_TEXTS.boardNotFound } as const
const topicNotFound = { status: 404, message: FORUM_TEXTS.topicNotFound } as const
const postNotFound = { status: 404, message: FORUM_TEXTS.postNotFound } as const
const topicLockedError = { status: 403, message: FORUM_TEXTS.locked } as const
const notYours = { status: 403, message: FORUM_TEXTS.notYours } as const
const refusedWord = { status: 422, message: FORUM_TEXTS.refusedWord, field: 'body' } as const
const tooMuchMarkup = { status: 422, message: FORUM_TEXTS.tooMuchMarkup, field: 'body' } as const
const tooManyPictures = { status: 422, message: FORUM_TEXTS.tooManyPictures, field: 'body' } as const

/** The refusals of calls that write. */
const writeErrors = {
  confirmEmail: { status: 403, message: FORUM_TEXTS.confirmEmail },
  readOnly: { status: 403, message: FORUM_TEXTS.readOnly },
  refusedWord,
  tooMuchMarkup,
  tooManyPictures,
} as const

export const getForum = forum.get('/forum/boards', {
  summary: 'The boards of the forum, with their newest posts',
  access: 'public',
  cache: { freshMs: FORUM_CACHE_MS },
  output: z.object({
    boards: z.array(
      z.object({
        ...boardFields,
        topics: z.int(),
        posts: z.int(),
        last: lastPostSchema.nullable(),
        last_writers: z.array(authorSchema).meta({
          description: `The latest authors in its newest topics, up to ${FORUM_LAST_WRITERS_MAX}, the latest first`,
        }),
      }),
    ),
  }),
})

const activeTopicSchema = z
  .object({
    topic: z.int(),
    category: z.int(),
    board: z.string().meta({ description: 'The name of its board' }),
    title: z.string(),
    last_number: z.int().meta({ description: 'The number of its newest post' }),
    last_post_at: offsetMoment,
    last_writer: authorSchema,
    replies_today: z.int().meta({ description: 'Replies within 24 hours' }),
  })
  .meta({ id: 'ForumActivity' })
export type ActiveForumTopic = z.infer<typeof activeTopicSchema>

export const getActivity = forum.get('/forum/activity', {
  summary: 'The topics with the most replies within 24 hours, and the topics with the newest posts',
  access: 'public',
  cache: { freshMs: 30_000 },
  output: z.object({
    hot: z.array(activeTopicSchema).meta({ description: `Up to ${FORUM_HOT_MAX}, the most replies first` }),
    latest: z.array(activeTopicSchema).meta({ description: `Up to ${FORUM_LATEST_MAX}, the newest post first` }),
  }),
})

export const getBoard = forum.get('/forum/boards/{category}', {
  summary: `A board: its pinned topics, then the others by their newest post, on up to ${FORUM_BOARD_PAGES_MAX} pages`,
  access: 'public',
  cache: { freshMs: FORUM_CACHE_MS },
  input: {
    params: z.object({ category: wholeNumberParam('Category') }),
    query: z.object({
      page,
      before: z
        .string()
        .regex(/^\d{1,17}-\d{1,15}$/, 'before must be the value of older in the previous response.')
        .optional()
        .meta({ description: 'The value of `older` in the previous response; `page` is then ignored' }),
    }),
  },
  output: z.object({
    board: boardSchema,
    topics: z.array(topicRowSchema),
    total: z.int(),
    page: z.int(),
    ...pagingFields,
    older: z
      .string()
      .nullable()
      .meta({ description: 'The value of `before` for the topics after the last page; else null' }),
  }),
  errors: { boardNotFound },
})

export const getTopic = forum.get('/forum/topics/{topic}', {
  summary: 'A topic: the posts of a page, oldest first',
  access: 'public',
  cache: { freshMs: FORUM_CACHE_MS },
  input: { params: z.object({ topic: wholeNumberParam('Topic') }), query: z.object({ page }) },
  output: z.object({
    topic: topicRowSchema,
    board: boardSchema,
    posts: z.array(postSchema),
    poll: pollSchema.nullable(),
    page: z.int(),
    ...pagingFields,
  }),
  errors: { topicNotFound },
})

export const getPostHistory = forum.get('/forum/posts/{post}/history', {
  summary: 'The earlier texts of an edited post, newest first',
  access: 'public',
  cache: { freshMs: FORUM_CACHE_MS },
  input: { params: z.object({ post: wholeNumberParam('Post') }) },
  output: z.object({ revisions: z.array(z.object({ title: z.string(), html: z.string(), written_at: offsetMoment })) }),
  errors: { postNotFound },
})

const rightsSchema = z.object({
  may_write: z.boolean(),
  missing: z.string().nullable().meta({ description: 'What the player needs to write here, or why they cannot' }),
})

/** The pages of boards are cached for all readers, so the browser requests this player's data separately. */
export const getMyBoards = forum.get('/forum/mine/boards', {
  summary: 'Which boards have new posts for this player',
  output: z.object({ unread: z.array(z.int()).meta({ description: 'Their categories' }) }),
})

export const getMyBoard = forum.get('/forum/mine/boards/{category}', {
  summary: 'Which topics have new posts for this player, and whether the player can write in the board',
  input: {
    params: z.object({ category: wholeNumberParam('Category') }),
    query: z.object({
      topics: z
        .string()
        .regex(/^(\d{1,15}(,\d{1,15}){0,49})?$/, 'topics must be up to 50 numbers.')
        .default('')
        .meta({ description: 'The topics on the page, separated by commas' }),
    }),
  },
  output: rightsSchema.extend({
    unread: z
      .array(z.object({ topic: z.int(), number: z.int().meta({ description: 'The number of the first unread post' }) }))
      .meta({ description: 'The topics with new posts' }),
    waiting: z
      .array(z.object({ topic: z.int(), title: z.string(), created_at: offsetMoment }))
      .meta({ description: 'Their own topics that wait for a moderator' }),
  }),
  errors: { boardNotFound },
})

export const getMyTopic = forum.get('/forum/mine/topics/{topic}', {
  summary: 'The data of this player for a topic: rights, likes, votes, own posts, and posts that wait for a moderator',
  input: { params: z.object({ topic: wholeNumberParam('Topic') }), query: z.object({ page }) },
  output: rightsSchema.extend({
    watching: z.boolean(),
    bookmarked: z.boolean(),
    may_moderate: z
      .boolean()
      .meta({ description: 'Whether this player can moderate the topic and its posts at the desk' }),
    own: z.array(z.int()).meta({ description: 'The posts of the page that they wrote' }),
    liked: z.array(z.int()).meta({ description: 'The posts of the page that they like' }),
    votes: z.array(z.int()).meta({ description: 'The answers of the poll that they chose' }),
    waiting: z.array(z.object({ post: z.int(), html: z.string(), created_at: offsetMoment })),
  }),
  errors: { topicNotFound },
})

export const getBookmarks = forum.get('/forum/mine/bookmarks', {
  summary: `This player’s bookmarks, up to ${FORUM_BOOKMARKS_MAX}, the newest first`,
  output: z.object({
    topics: z.array(
      activeTopicSchema.omit({ replies_today: true }).extend({
        bookmarked_at: offsetMoment,
        unread: z.int().nullable().meta({ description: 'The number of the first unread post; null for none' }),
      }),
    ),
  }),
})

const postResultSchema = z.object({
  message: z.string(),
  held: z.boolean().meta({ description: 'Whether a moderator reads it first' }),
  path: z.string().meta({ description: 'The address of the post, even while it waits for a moderator' }),
})

/** The id of a board, limited to the range of the database column. */
const board = z.int(FORUM_TEXTS.boardNotFound).min(0, FORUM_TEXTS.boardNotFound).max(32_767, FORUM_TEXTS.boardNotFound)

export const writeTopic = forum.post('/forum/topics', {
  summary: 'Open a topic in a board',
  idempotent: true,
  input: { body: z.object({ category: board, ...topicForm.shape }) },
  fields: topicForm,
  output: postResultSchema,
  errors: { boardNotFound, ...writeErrors },
})

export const writePost = forum.post('/forum/posts', {
  summary: 'Reply in a topic',
  idempotent: true,
  input: { body: z.object({ topic: z.int(FORUM_TEXTS.topicNotFound), ...replyForm.shape }) },
  fields: replyForm,
  output: postResultSchema,
  errors: { topicNotFound, locked: topicLockedError, ...writeErrors },
})

export const getPostSource = forum.get('/forum/posts/{post}/source', {
  summary: 'A post in Markdown, to edit or quote it',
  input: { params: z.object({ post: wholeNumberParam('Post') }) },
  output: z.object({ title: z.string(), body: z.string(), is_own: z.boolean() }),
  errors: { postNotFound },
})

export const editPost = forum.post('/forum/posts/edit', {
  summary: 'Edit the caller’s own post; readers can see earlier versions',
  idempotent: true,
  input: { body: z.object({ post: z.int(FORUM_TEXTS.postNotFound), ...editForm.shape }) },
  fields: editForm,
  output: postResultSchema,
  errors: { postNotFound, notYours, locked: topicLockedError, ...writeErrors },
})

export const deletePost = forum.post('/forum/posts/delete', {
  summary: 'Delete the caller’s own post. If readers could see it, the topic shows a note instead',
  input: { body: z.object({ post: z.int(FORUM_TEXTS.postNotFound) }) },
  output: z.object({
    message: z.string(),
    path: z
      .string()
      .meta({ description: 'The address of the topic, or of the board if the topic was deleted with its only post' }),
  }),
  errors: { postNotFound, notYours, locked: topicLockedError },
})

export const previewPost = forum.post('/forum/preview', {
  summary: 'Preview a text as it will look',
  limit: 'forumPreviews',
  input: { body: z.object({ body: bodyField }) },
  output: z.object({ html: z.string() }),
  errors: { confirmEmail: writeErrors.confirmEmail, tooMuchMarkup },
})

export const uploadForumPicture = forum.post('/forum/pictures', {
  summary: 'Upload a picture for a post. A picture that no post shows is deleted after a day',
  limit: 'forumPictures',
  input: {
    form: z.object({
      picture: z
        .file(SCREENSHOT_TEXTS.notAPicture('Your file'))
        .meta({ description: 'PNG, JPEG or WebP of at most 5 MB' }),
    }),
  },
  output: z.object({
    url: z.string().meta({ description: 'The address for ![text](url) in a post' }),
    width: z.int(),
    height: z.int(),
  }),
  errors: {
    confirmEmail: { status: 403, message: FORUM_TEXTS.confirmEmail },
    tooLarge: { status: 413, message: SCREENSHOT_TEXTS.tooLarge('Your picture'), field: 'picture' },
    empty: { status: 422, message: SCREENSHOT_TEXTS.empty('Your picture'), field: 'picture' },
  },
})

export const likePost = forum.post('/forum/posts/like', {
  summary: 'Like a post, or remove the like',
  input: { body: z.object({ post: z.int(FORUM_TEXTS.postNotFound), like: z.boolean() }) },
  output: z.object({ likes: z.int() }),
  errors: {
    postNotFound,
    likeOwn: { status: 422, message: FORUM_TEXTS.likeOwn },
    confirmEmail: writeErrors.confirmEmail,
  },
})

export const watchTopic = forum.post('/forum/topics/watch', {
  summary: 'Start or stop getting a letter in the mail box when someone replies',
  input: { body: z.object({ topic: z.int(FORUM_TEXTS.topicNotFound), watch: z.boolean() }) },
  output: z.object({ watching: z.boolean() }),
  errors: { topicNotFound },
})

export const bookmarkTopic = forum.post('/forum/topics/bookmark', {
  summary: 'Bookmark a topic, or remove its bookmark',
  input: { body: z.object({ topic: z.int(FORUM_TEXTS.topicNotFound), bookmark: z.boolean() }) },
  output: z.object({ bookmarked: z.boolean() }),
  errors: { topicNotFound, bookmarksFull: { status: 409, message: FORUM_TEXTS.bookmarksFull } },
})

export const reportPost = forum.post('/forum/posts/report', {
  summary: 'Report a post to the moderators',
  limit: 'forumReports',
  input: { body: z.object({ post: z.int(FORUM_TEXTS.postNotFound), ...reportForm.shape }) },
  fields: reportForm,
  output: messageSchema,
  errors: { postNotFound, reportOwn: { status: 422, message: FORUM_TEXTS.reportOwn } },
})

export const votePoll = forum.post('/forum/topics/vote', {
  summary: 'Vote in a topic’s poll; until it ends, a new vote replaces the previous one',
  input: {
    body: z.object({
      topic: z.int(FORUM_TEXTS.topicNotFound),
      options: z
        .array(z.int(FORUM_TEXTS.optionUnknown))
        .min(1, FORUM_TEXTS.optionUnknown)
        .max(FORUM_OPTIONS_MAX, FORUM_TEXTS.choicesMany),
    }),
  },
  output: z.object({ poll: pollSchema, votes: z.array(z.int()) }),
  errors: {
    topicNotFound,
    pollNotFound: { status: 404, message: FORUM_TEXTS.pollNotFound },
    pollClosed: { status: 409, message: FORUM_TEXTS.pollClosed },
    optionUnknown: { status: 422, message: FORUM_TEXTS.optionUnknown, field: 'options' },
    choicesMany: { status: 422, message: FORUM_TEXTS.choicesMany, field: 'options' },
    confirmEmail: writeErrors.confirmEmail,
  },
})

/** A request for a cached page does not reach the server, so the browser reports that a topic was opened. */
export const visitTopic = forum.post('/forum/topics/visit', {
  summary:
    'Record that a topic was opened: counts one view per person and day, and marks its posts as read for a player',
  access: 'visitor',
  input: {
    body: z.object({
      topic: z.int(FORUM_TEXTS.topicNotFound),
      number: z.int().min(0).default(0).meta({ description: 'The highest post number on the page' }),
    }),
  },
  output: z.object({}),
  errors: { topicNotFound },
})

export const markBoardRead = forum.post('/forum/boards/read', {
  summary: 'Mark all topics of a board, or of all boards, as read',
  input: { body: z.object({ category: board.nullable().meta({ description: 'null for all boards' }) }) },
  output: messageSchema,
  errors: { boardNotFound },
})
