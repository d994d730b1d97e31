import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls, textFilter } from './desk.ts'
import { conflict } from './errors.ts'
import { isSingleLine, lineField, linesField, reasonField, recordIdField, wholeField } from './fields.ts'
import {
  BOARD_EMBLEMS,
  emblemField,
  HOLD_REASONS,
  type HoldReason,
  pollSchema,
  REPORT_REASONS,
  type ReportReason,
} from './forum.ts'
import { wholeNumberParam } from './paging.ts'
import { count, id, moment } from './scalars.ts'

const desk = declareDeskCalls('forum', {
  read: 'forum.moderate',
  notPersonal: ['state', 'outcome', 'undone', 'action'],
})

/** The longest silence, in hours. */
export const SILENCE_HOURS_MAX = 8760
/** The longest silence by a moderator of individual boards, in hours. */
export const BOARD_SILENCE_HOURS_MAX = 168

export const caseNoteForm = f.object({
  post: recordIdField,
  body: linesField(2000, 'Write something first.'),
})

export const silenceForm = f.object({
  post: recordIdField,
  hours: wholeField(1, SILENCE_HOURS_MAX),
  reason: reasonField,
})

export const silenceFields = describeFields(silenceForm, {
  reason: { label: 'Reason', hint: 'the player reads it' },
  hours: {
    label: 'For',
    options: {
      6: '6 hours',
      24: '1 day',
      72: '3 days',
      168: '1 week',
      720: '30 days',
      2160: '90 days',
      8760: '1 year',
    },
  },
})

export const boardForm = f.object({
  category: recordIdField,
  version: recordIdField,
  name: lineField(40, 'A board needs a name.'),
  description: lineField(200),
  emblem: f.optional(emblemField),
  level_needed: wholeField(1, 999),
  read_only: f.boolean('Choose whether only staff can post here.'),
  hold_first: wholeField(0, 100),
  hold_links: f.boolean('Choose whether links are held.'),
  hold_words: f.boolean('Choose whether watched words are held.'),
})

export const boardFields = describeFields(boardForm, {
  name: 'Name',
  description: 'Description',
  emblem: { label: 'Emblem', options: BOARD_EMBLEMS },
  level_needed: { label: 'Minimum level', hint: '1 for every character' },
  hold_first: { label: 'First posts to hold', hint: 'per player; 0 for none' },
  read_only: 'Only staff can post here',
  hold_links: 'Hold links from new players',
  hold_words: 'Hold watched words from new players',
})

/** The effects of a blocked term. */
export const BLOCKED_TERM_ACTIONS = {
  hold: 'Hold posts of new players',
  refuse: 'Refuse the post',
} as const

export const blockedTermForm = f.object({
  word: f
    .string('Enter a word.')
    .check(
      f.trim(),
      f.minLength(2, 'A word has at least 2 letters.'),
      f.maxLength(60, 'Use at most 60 characters.'),
      f.regex(/[\p{L}\p{N}]/u, 'A word has letters or digits.'),
      f.refine(isSingleLine, 'Use one line of text.'),
    ),
  action: f.enum(['hold', 'refuse'], 'Choose what happens.'),
})

export const blockedTermFields = describeFields(blockedTermForm, {
  word: { label: 'Word', kind: 'id' },
  action: { label: 'What happens', options: BLOCKED_TERM_ACTIONS },
})

export const boardModeratorForm = f.object({
  user_num: recordIdField,
  /** The moderator's boards; an empty list means all. */
  boards: f.array(recordIdField).check(f.maxLength(50, 'That is too many boards.')),
})

export const CASE_KINDS = { held: 'Held', report: 'Reported', staff: 'Opened by the team' } as const
export const CASE_OUTCOMES = {
  approved: 'Approved',
  rejected: 'Rejected',
  deleted: 'Deleted',
  dismissed: 'Closed without action',
} as const
export const FORUM_STATES = { visible: 'Visible', held: 'Held', rejected: 'Rejected', deleted: 'Deleted' } as const

const getKeys = <K extends string>(values: Record<K, unknown>) => Object.keys(values) as [K, ...K[]]
const kind = z.enum(getKeys(CASE_KINDS))
const outcome = z.enum(getKeys(CASE_OUTCOMES))
const state = z.enum(getKeys(FORUM_STATES))
const holdReason = z.enum(getKeys<HoldReason>(HOLD_REASONS))
const reportReason = z.enum(getKeys<ReportReason>(REPORT_REASONS))

/** The maximum number of posts or topics per decision, which is one page of the list (DESK-19). */
export const FORUM_BULK_MAX = 50

const postNotFound = { status: 404, message: 'There is no such post.' } as const
const topicNotFound = { status: 404, message: 'There is no such topic.' } as const
const caseNotFound = { status: 404, message: 'There is no such case.' } as const
const notYourBoard = { status: 403, message: 'You don’t moderate this board.' } as const
const onlySome = { status: 403, message: 'This is for moderators of all boards.' } as const

const caseRow = z
  .object({
    case_num: id,
    post: id,
    version: count.meta({
      description: 'The version of the post’s text that a moderator reads; a decision has to send it',
    }),
    kind,
    state: z.enum(['open', 'closed']),
    outcome: outcome.nullable(),
    title: z.string(),
    excerpt: z.string(),
    is_topic: z.boolean().meta({ description: 'Whether the post opens its topic' }),
    category: id,
    board: z.string(),
    author: z.string().meta({ description: 'The user ID' }),
    author_num: id,
    author_name: z.string().meta({ description: 'The name that readers see' }),
    held_for: z.array(holdReason),
    reasons: z.array(reportReason).meta({ description: 'The reasons of the reports, each once' }),
    reports: count,
    notes: count,
    assignee: z.string().nullable(),
    opened_at: moment,
    closed_at: moment.nullable(),
    closed_by: z.string().nullable(),
  })
  .meta({ id: 'DeskForumCase' })

export const getForumCases = desk.list('/admin/forum/cases', {
  summary: 'Reported and held posts in the boards that the caller moderates',
  sorts: ['case', '-case'],
  filters: {
    state: choiceFilter(['open', 'closed']),
    kind: choiceFilter(getKeys(CASE_KINDS)),
    board: textFilter.meta({ description: 'The category of the board' }),
    assignee: textFilter.meta({ description: '`me`, `none`, or a user ID' }),
    q: textFilter.meta({ description: 'The user ID or character name of the author, or the number of a case' }),
  },
  row: caseRow,
})

const operator = z.object({ user_num: id, user_id: z.string() })

const caseDetails = z.object({
  case_num: id,
  kind,
  state: z.enum(['open', 'closed']),
  outcome: outcome.nullable(),
  assignee: z.string().nullable(),
  assignee_num: id.nullable(),
  opened_at: moment,
  closed_at: moment.nullable(),
  closed_by: z.string().nullable(),
  can_undo: z.boolean(),
  reports: z.array(
    z.object({
      by: z.string(),
      by_num: id,
      reason: reportReason,
      words: z.string(),
      reported_at: moment,
    }),
  ),
  notes: z.array(z.object({ note: id, body: z.string(), written_by: z.string(), written_at: moment })),
})

const silence = z.object({
  silence: id,
  reason: z.string(),
  starts_at: moment,
  ends_at: moment,
  silenced_by: z.string().nullable(),
  lifted_at: moment.nullable(),
  lifted_by: z.string().nullable(),
  is_on: z.boolean().meta({ description: 'Whether it is in force now' }),
})

const authorRecord = z.object({
  user_num: id,
  user_id: z.string(),
  name: z.string().meta({ description: 'The name that readers see' }),
  level: z.int().nullable(),
  is_staff: z.boolean(),
  is_blocked: z.boolean(),
  created_at: moment,
  posts: count.meta({ description: 'The number of posts that readers can see' }),
  outcomes: z.object({ approved: count, rejected: count, deleted: count, dismissed: count }),
  silences: z.array(silence).meta({ description: 'Newest first' }),
  cases: z
    .array(z.object({ case_num: id, post: id, title: z.string(), kind, outcome: outcome.nullable(), at: moment }))
    .meta({ description: 'The newest cases about the author’s other posts' }),
})

const contextPost = z.object({
  post: id,
  number: z.int().nullable(),
  author_name: z.string(),
  html: z.string(),
  created_at: moment,
})

const topicFields = {
  topic: id,
  version: count,
  title: z.string(),
  category: id,
  board: z.string(),
  state,
  pinned: z.boolean(),
  locked: z.boolean(),
  posts: count.meta({ description: 'The number of posts that readers can see' }),
  author: z.string(),
  author_num: id,
  author_name: z.string(),
  created_at: moment,
  last_post_at: moment,
}

export const getForumPost = desk.read('/admin/forum/post', {
  summary: 'A post in its topic, with its cases and its author’s record',
  input: { query: z.object({ post: wholeNumberParam('Post') }) },
  output: z.object({
    post: z.object({
      post: id,
      version: count,
      number: z.int().nullable(),
      state,
      is_topic: z.boolean(),
      title: z.string().meta({ description: 'The title of the topic; for its first post, the post’s own title' }),
      html: z.string(),
      held_for: z.array(holdReason),
      reason: z.string().meta({ description: 'Why it was rejected' }),
      created_at: moment,
      edited_at: moment.nullable(),
      before: z.array(z.object({ title: z.string(), html: z.string(), written_at: moment })).meta({
        description: 'The earlier texts of the post, newest first',
      }),
      path: z.string().nullable().meta({ description: 'The address for readers; null if they cannot see it' }),
    }),
    topic: z.object(topicFields),
    poll: pollSchema.nullable().meta({ description: 'The poll of the topic that the post opens' }),
    earlier: z
      .array(contextPost)
      .meta({ description: 'The visible posts just before it; for a held post, the newest posts of the topic' }),
    later: z.array(contextPost),
    open: caseDetails.nullable().meta({ description: 'The case that waits for a decision' }),
    closed: z.array(caseDetails).meta({ description: 'The decided cases, newest first' }),
    author: authorRecord,
    assignees: z.array(operator),
    silence_hours_max: z.int(),
  }),
  errors: { postNotFound, notYourBoard },
})

/**
 * A moderator can see the pictures of a deleted or rejected post as long as the post's text is stored. Readers cannot.
 */
export const getForumPicture = desk.read('/admin/forum/picture', {
  summary: 'A picture of a post, even of a deleted or rejected post',
  input: {
    query: z.object({
      post: wholeNumberParam('Post'),
      url: z.string().regex(/^\/files\/[0-9a-f]{64}\.(webp|jpg)$/, 'There is no such picture.'),
    }),
  },
  output: z.file(),
  errors: { postNotFound, notYourBoard, pictureNotFound: { status: 404, message: 'There is no such picture.' } },
})

const DECISIONS = ['approve', 'reject', 'delete', 'dismiss'] as const
export type Decision = (typeof DECISIONS)[number]

export const decidePosts = desk.write('/admin/forum/decide', {
  title: 'Decide posts',
  summary: 'Decide about posts: approve, reject with a reason, delete, or close their cases without action',
  input: {
    body: z.object({
      decision: z.enum(DECISIONS, 'Choose what to do.'),
      posts: z
        .array(
          z.object({
            post: id,
            version: count,
            case_num: id.nullable().meta({ description: 'The open case that the moderator saw; null for none' }),
          }),
        )
        .min(1, 'Choose at least one post.')
        .max(FORUM_BULK_MAX, `Choose at most ${FORUM_BULK_MAX} posts.`),
      /** The text for the author, required for a rejection. */
      reason: f._default(linesField(300), ''),
    }),
  },
  output: z.object({
    message: z.string(),
    decided: count,
    skipped: count.meta({ description: 'Posts that another moderator decided about or that changed in the meantime' }),
    cases: z.array(id).meta({ description: 'The cases that were closed, to undo the decision' }),
  }),
  errors: {
    postNotFound,
    notYourBoard,
    reasonNeeded: { status: 422, message: 'Give a reason. The author reads it in the mail box.', field: 'reason' },
    decided: { status: 409, message: 'Someone else has decided about this in the meantime.' },
    changed: { status: 409, message: 'This has changed in the meantime. Read it again, then decide.' },
    gone: { status: 409, message: 'This post was rejected or deleted.' },
    held: { status: 409, message: 'A held post has to be approved, rejected or deleted.' },
    nothing: { status: 409, message: 'Readers can already see this post, and no one has reported it.' },
    topicGone: { status: 409, message: 'Its topic is not visible. Restore the topic first, or reject the post.' },
  },
})

export const undoDecisions = desk.write('/admin/forum/undo', {
  title: 'Undo post decisions',
  summary: 'Undo decisions: restores the posts and reopens the cases',
  input: { body: z.object({ cases: z.array(id).min(1).max(FORUM_BULK_MAX) }) },
  output: z.object({ message: z.string(), undone: count }),
  errors: {
    caseNotFound,
    notYourBoard,
    changed: { status: 409, message: 'This can no longer be undone: the post or its case has changed since.' },
  },
})

export const assignForumCase = desk.write('/admin/forum/assign', {
  title: 'Assign forum case',
  summary: 'Take a case, assign it to another moderator, or release it',
  input: {
    body: z.object({
      case_num: id,
      from: id.nullable().meta({
        description: 'The assignee that the operator saw. If two operators take a case, the second gets a conflict',
      }),
      to: id.nullable(),
    }),
  },
  errors: {
    caseNotFound,
    notYourBoard,
    claimed: { status: 409, message: 'Someone else has taken this case in the meantime.' },
    closed: { status: 409, message: 'This case is closed.' },
    notModerator: { status: 422, message: 'This person does not moderate this board.', field: 'to' },
  },
})

export const writeCaseNote = desk.write('/admin/forum/note', {
  title: 'Add case note',
  summary: 'Write a staff-only note about a post; opens a case if there is none',
  fields: caseNoteForm,
  errors: { postNotFound, notYourBoard },
})

export const silenceAuthor = desk.write('/admin/forum/silence', {
  title: 'Silence author',
  summary: 'Silence the author of a post for a number of hours, with a letter that gives the reason',
  fields: silenceForm,
  errors: {
    postNotFound,
    notYourBoard,
    isStaff: { status: 422, message: 'Staff cannot be silenced. Talk to them instead.' },
    silenced: { status: 409, message: 'This player is already silenced. Lift that silence first to change it.' },
    tooLong: {
      status: 422,
      message: 'Moderators of individual boards can silence players for a week at most.',
      field: 'hours',
    },
  },
})

export const liftSilence = desk.write('/admin/forum/silence/lift', {
  title: 'Lift silence',
  summary: 'End a silence early, with a letter to the player',
  input: { body: z.object({ silence: id }) },
  errors: {
    silenceNotFound: { status: 404, message: 'There is no such silence.' },
    over: { status: 409, message: 'This silence is already over.' },
    notYours: { status: 403, message: 'Only the person who set it, or a moderator of all boards, can lift it.' },
  },
})

export const getSilences = desk.list('/admin/forum/silences', {
  summary: 'Current and past silences of players in the forum',
  sorts: ['-silence', 'silence'],
  filters: {
    state: choiceFilter(['on', 'over']),
    q: textFilter.meta({ description: 'A user ID' }),
  },
  row: silence.extend({ user_id: z.string(), user_num: id, post: id.nullable() }),
})

export const getDeskTopics = desk.list('/admin/forum/topics', {
  summary: 'Topics of the boards that the caller moderates, in any state',
  sorts: ['-topic', 'topic'],
  filters: {
    state: choiceFilter(getKeys(FORUM_STATES)),
    board: textFilter.meta({ description: 'The category of the board' }),
    mark: choiceFilter(['pinned', 'locked']),
    q: textFilter.meta({ description: 'Text of the title, the author’s user ID, or a topic’s number' }),
  },
  row: z.object(topicFields).meta({ id: 'DeskForumTopic' }),
})

export const getDeskTopic = desk.read('/admin/forum/topic', {
  summary: 'A topic with its opening post and its open cases',
  input: { query: z.object({ topic: wholeNumberParam('Topic') }) },
  output: z.object({
    topic: z.object(topicFields),
    opening: z.object({ post: id, html: z.string() }).nullable(),
    poll: pollSchema.nullable(),
    path: z.string().nullable().meta({ description: 'The address for readers; null if they cannot see it' }),
    cases: z.array(z.object({ case_num: id, post: id, kind, excerpt: z.string(), opened_at: moment })),
  }),
  errors: { topicNotFound, notYourBoard },
})

export const changeTopics = desk.write('/admin/forum/topics/change', {
  title: 'Change topics',
  summary: 'Move, pin, close, delete or restore topics. A value of null changes nothing',
  input: {
    body: z.object({
      topics: z
        .array(z.object({ topic: id, version: count }))
        .min(1, 'Choose at least one topic.')
        .max(FORUM_BULK_MAX, `Choose at most ${FORUM_BULK_MAX} topics.`),
      category: id.nullable().default(null),
      pinned: z.boolean().nullable().default(null),
      locked: z.boolean().nullable().default(null),
      state: z.enum(['visible', 'deleted']).nullable().default(null),
      /** The text for the authors of deleted topics; without it they get no letter. */
      reason: f._default(linesField(300), ''),
    }),
  },
  output: z.object({
    message: z.string(),
    changed: z.array(z.object({ topic: id, version: count })),
    skipped: count,
  }),
  errors: {
    topicNotFound,
    notYourBoard,
    boardNotFound: { status: 422, message: 'There is no such board.', field: 'category' },
    changed: conflict,
    same: { status: 409, message: 'Nothing would change: the topic already has these settings.' },
    empty: {
      status: 409,
      message: 'No post in this topic is visible. Undo the decision about its first post instead.',
    },
  },
})

const deskBoard = z
  .object({
    category: id,
    version: count,
    name: z.string(),
    description: z.string(),
    is_gallery: z.boolean(),
    level_needed: z.int(),
    read_only: z.boolean(),
    emblem: z.enum(getKeys(BOARD_EMBLEMS)),
    hold_first: z.int(),
    hold_links: z.boolean(),
    hold_words: z.boolean(),
    topics: count,
    posts: count,
    waiting: count.meta({ description: 'Open cases' }),
  })
  .meta({ id: 'DeskForumBoard' })

export const getDeskBoards = desk.read('/admin/forum/boards', {
  summary: 'The boards with their rules, and which of them the caller moderates',
  output: z.object({
    rows: z.array(deskBoard),
    mine: z.array(id).nullable().meta({ description: 'The categories that the caller moderates; null for all' }),
  }),
})

export const saveBoard = desk.write('/admin/forum/boards/save', {
  title: 'Save board',
  summary: 'Change the name, the description and the rules of a board',
  access: 'forum.boards',
  fields: boardForm,
  errors: {
    onlySome,
    boardNotFound: { status: 404, message: 'There is no such board.' },
    conflict,
  },
})

export const getBlockedTerms = desk.read('/admin/forum/words', {
  summary: 'Terms that hold a new player’s post, or that no player can post',
  output: z.object({
    rows: z.array(
      z.object({
        word: z.string(),
        action: z.enum(['hold', 'refuse']),
        added_by: z.string().nullable(),
        added_at: moment,
      }),
    ),
  }),
})

export const saveBlockedTerm = desk.write('/admin/forum/words/save', {
  title: 'Save watched word',
  summary: 'Add a watched word, or change its effect',
  access: 'forum.boards',
  fields: blockedTermForm,
  errors: { onlySome, tooMany: { status: 422, message: 'At most 500 words are watched.', field: 'word' } },
})

export const deleteBlockedTerm = desk.write('/admin/forum/words/delete', {
  title: 'Delete watched word',
  summary: 'Stop watching a word',
  access: 'forum.boards',
  input: { body: z.object({ word: z.string().max(60) }) },
  errors: { onlySome, termNotFound: { status: 404, message: 'This word was already deleted.' } },
})

export const getModerators = desk.read('/admin/forum/moderators', {
  summary: 'Who moderates which boards',
  output: z.object({
    rows: z.array(
      operator.extend({
        is_owner: z.boolean(),
        boards: z.array(id).nullable().meta({ description: 'null for all of them' }),
      }),
    ),
  }),
})

export const saveModerator = desk.write('/admin/forum/moderators/save', {
  title: 'Save moderator',
  summary: 'Set which boards a person moderates',
  access: 'staff.write',
  sudo: true,
  fields: boardModeratorForm,
  errors: {
    notModerator: { status: 422, message: 'This person has no role that allows moderating.' },
    isOwner: { status: 422, message: 'An owner moderates all boards.' },
    boardNotFound: { status: 422, message: 'There is no such board.', field: 'boards' },
  },
})
