import type { Generated, GeneratedAlways } from 'kysely'
import type { BoardEmblem, HoldReason, ReportReason } from '#contract/forum.ts'
import type { Holdings } from './holdings.ts'

/** The forum. */
export interface ForumTables {
  forum_boards: ForumBoards
  forum_topics: ForumTopics
  forum_posts: ForumPosts
  forum_revisions: {
    revision: Generated<number>
    post: number
    title: string
    body: string
    html: string
    written_by: number
    written_at: Date
    shown: Generated<boolean>
  }
  forum_likes: { post: number; user_num: number; liked_at: Date }
  forum_watches: { topic: number; user_num: number; watched_at: Date; notified: Generated<boolean> }
  forum_bookmarks: { user_num: number; topic: number; bookmarked_at: Date }
  forum_read_marks: { user_num: number; topic: number; number: number }
  forum_board_marks: { user_num: number; category: number; read_at: Date }
  forum_views: { topic: number; day: string; viewer: string }
  forum_polls: {
    topic: number
    question: string
    choices_max: Generated<number>
    closes_at: Date | null
    voters: Generated<number>
  }
  forum_poll_options: { topic: number; option: number; words: string; votes: Generated<number> }
  forum_votes: { topic: number; user_num: number; option: number }
  forum_pictures: {
    url: string
    uploaded_by: number
    small_url: string
    width: number
    height: number
    post: number | null
    uploaded_at: Date
  }
  forum_members: { user_num: number; post_count: Generated<number> }
  forum_silences: {
    silence: Generated<number>
    user_num: number
    reason: string
    starts_at: Date
    ends_at: Date
    silenced_by: number | null
    lifted_at: Date | null
    lifted_by: number | null
    post: number | null
  }
  forum_watched_words: { word: string; action: 'hold' | 'refuse'; added_by: number | null; added_at: Date }
  forum_moderators: { user_num: number; category: number; added_by: number | null; added_at: Date }
  forum_cases: ForumCases
  forum_case_notes: { note: Generated<number>; case_num: number; body: string; written_by: number; written_at: Date }
  forum_reports: {
    post: number
    user_num: number
    case_num: number
    reason: ReportReason
    words: Generated<string>
    reported_at: Date
  }
  forum_title_words: { word: string; groups: GeneratedAlways<string> }
}

type ForumBoards = {
  category: number
  position: number
  name: string
  description: Generated<string>
  is_gallery: Generated<boolean>
  level_needed: Generated<number>
  read_only: Generated<boolean>
  emblem: Generated<BoardEmblem>
  hold_first: Generated<number>
  hold_links: Generated<boolean>
  hold_words: Generated<boolean>
  topic_count: Generated<number>
  post_count: Generated<number>
  version: Generated<number>
}

type ForumState = 'visible' | 'held' | 'rejected' | 'deleted'

type ForumTopics = {
  topic: Generated<number>
  category: number
  title: string
  author: number
  state: ForumState
  pinned: Generated<boolean>
  locked: Generated<boolean>
  picture: string | null
  last_number: Generated<number>
  post_count: Generated<number>
  created_at: Date
  last_post_at: Date
  last_author: number | null
  views: Generated<number>
  version: Generated<number>
}

type ForumPosts = {
  post: Generated<number>
  topic: number
  number: number | null
  author: number
  state: ForumState
  title: Generated<string>
  body: string
  html: string
  held_for: Generated<HoldReason[]>
  reason: Generated<string>
  created_at: Date
  shown_at: Date | null
  edited_at: Date | null
  edited_by: number | null
  deleted_at: Date | null
  deleted_by: number | null
  like_count: Generated<number>
  version: Generated<number>
  search: GeneratedAlways<string>
}

type ForumCases = {
  case_num: Generated<number>
  post: number
  kind: 'held' | 'report' | 'staff'
  state: Generated<'open' | 'closed'>
  outcome: 'approved' | 'rejected' | 'deleted' | 'dismissed' | null
  report_count: Generated<number>
  assignee: number | null
  opened_at: Date
  closed_at: Date | null
  closed_by: number | null
  version: Generated<number>
  post_was: ForumState | null
  topic_was: ForumState | null
  title_was: string | null
  picture_was: string | null
  held_was: Generated<HoldReason[]>
}

export const forumHoldings: Holdings<ForumTables> = {
  forum_boards: { notPersonal: ['name', 'description', 'emblem'] },
  forum_topics: {
    player: 'author',
    erasedSeparately: ['title', 'state', 'picture'],
    notPersonal: ['last_author'],
    copy: 'forum_topics',
    policy: 'The forum',
  },
  forum_posts: {
    player: 'author',
    erasedSeparately: ['state', 'title', 'body', 'html', 'reason'],
    notPersonal: ['held_for'],
    copy: 'forum_posts',
    policy: 'The forum',
  },
  forum_revisions: { erasedSeparately: ['title', 'body', 'html'], copy: 'forum_posts', policy: 'The forum' },
  forum_likes: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'forum_likes', without: ['user_num'], order: ['liked_at', 'post'] },
    policy: 'The forum',
  },
  forum_watches: { player: 'user_num', erase: 'delete', copy: 'forum_watches', policy: 'The forum' },
  forum_bookmarks: { player: 'user_num', erase: 'delete', copy: 'forum_bookmarks', policy: 'The forum' },
  forum_read_marks: { player: 'user_num', erase: 'delete', copy: 'forum_reading', policy: 'The forum' },
  forum_board_marks: { player: 'user_num', erase: 'delete', copy: 'forum_boards_read', policy: 'The forum' },
  forum_views: { erasedSeparately: ['viewer'], copy: 'forum_visits', policy: 'Who has opened a topic' },
  // An erasure deletes the polls of the account's topics.
  forum_polls: { erasedSeparately: ['question'], copy: 'forum_votes', policy: 'The forum' },
  forum_poll_options: { erasedSeparately: ['words'], copy: 'forum_votes', policy: 'The forum' },
  forum_votes: { player: 'user_num', erase: 'delete', copy: 'forum_votes', policy: 'The forum' },
  forum_pictures: {
    player: 'uploaded_by',
    erase: 'delete',
    copy: { part: 'forum_pictures', columns: { address: 'url', uploaded_at: 'uploaded_at' }, order: 'uploaded_at' },
    policy: 'The forum',
  },
  forum_members: {
    player: 'user_num',
    erase: 'delete',
    notCopied: 'another part of the copy has the data',
    policy: 'The forum',
  },
  forum_silences: {
    player: 'user_num',
    erase: { reason: 'Erased' },
    staffTexts: ['reason'],
    copy: { part: 'forum_silences', columns: ['reason', 'starts_at', 'ends_at', 'lifted_at'], order: 'silence' },
    policy: 'Blocks',
  },
  forum_watched_words: { notPersonal: ['word', 'action'] },
  forum_moderators: { player: 'user_num', erase: 'delete', notCopied: 'work of the staff' },
  forum_cases: {
    erasedSeparately: ['title_was', 'picture_was', 'state', 'outcome'],
    notPersonal: ['kind', 'post_was', 'topic_was', 'held_was', 'assignee'],
  },
  forum_case_notes: { staffTexts: ['body'] },
  forum_reports: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'forum_reports', without: ['user_num', 'case_num'], order: 'reported_at' },
    policy: 'The forum',
  },
  forum_title_words: { notPersonal: ['word'] },
}
