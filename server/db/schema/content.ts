import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { DocumentValues } from '#contract/document-fields.ts'
import type { EventException } from '#contract/events.ts'
import type { PictureSize } from '#contract/files.ts'
import type { Board } from '#contract/game.ts'
import type { Captions, StoredFile } from '#contract/media.ts'
import type { Theme } from '#contract/theme.ts'
import type { Holdings } from './holdings.ts'
import type { JsonListColumn, JsonObjectColumn } from './json.ts'

/** News and other content of the public pages. */
export interface ContentTables {
  news: News
  news_drafts: NewsDrafts
  news_revisions: NewsRevisions
  events: Events
  event_results: { event: number; starts_at: Date; result: string; entered_at: Date }
  event_reminders: { user_num: number; event: number; asked_at: Date; every_time: Generated<boolean> }
  previews: { token_hash: string; kind: string; name: string; ends_at: Date }
  documents: Documents
  document_revisions: DocumentRevisions
  banners: Banners
  downloads: Downloads
  media: Media
  club_areas: ClubAreas
  area_holders: { change: Generated<number>; area: number | null; area_name: string; club: string | null; since: Date }
  looks: {
    look: Generated<number>
    value: JsonObjectColumn<Theme>
    stylesheet: string | null
    published_at: Date
    published_by: string
  }
  look_draft: {
    is_only: Generated<boolean>
    version: number
    value: JsonObjectColumn<Theme>
    stylesheet: string | null
    saved_at: Date
    saved_by: string
  }
  files: {
    hash: string
    type: PictureSize['type'] | 'text/vtt' | 'text/css'
    width: number | null
    height: number | null
    content: Buffer
    of_players: Generated<boolean>
    uploaded_at: Date
  }
}

type Events = {
  event: Generated<number>
  version: Generated<number>
  title: string
  about: Generated<string>
  picture: string | null
  prize: Generated<string>
  board: Board | null
  news: number | null
  starts_at: Date
  ends_at: Date
  repeats: 'once' | 'daily' | 'weekly'
  weekdays: Generated<number[]>
  repeats_until: Date | null
  exceptions: JsonListColumn<EventException>
  visible: Generated<boolean>
  club_war: Generated<boolean>
  cancelled_why: Generated<string>
  created_at: Date
  changed_at: Date
  remind_at: Date | null
  reminded_of: Date | null
  post_due: Generated<'' | 'planned' | 'soon' | 'cancelled'>
}

type News = {
  id: Generated<number>
  subject: string
  type: 0 | 1 | 2
  author: string
  content: string
  picture: string | null
  show_picture: Generated<boolean>
  patch_notes: Generated<boolean>
  published: Generated<boolean>
  created_at: Date | null
  first_published_at: Date | null
  trashed_at: Date | null
  announced_at: Date | null
  post_due: Generated<boolean>
  search: GeneratedAlways<string>
}

type NewsText = {
  subject: string
  type: 0 | 1 | 2
  author: string
  content: string
  picture: string | null
  show_picture: boolean
  patch_notes: Generated<boolean>
  saved_at: Date
  saved_by: number | null
}

type NewsDrafts = NewsText & { news: number; version: Generated<number>; is_open: boolean }

type NewsRevisions = NewsText & { revision: Generated<number>; news: number; kind: 'published' | 'replaced' }

type Documents = {
  name: string
  is_free: Generated<boolean>
  version: Generated<number>
  draft: JsonObjectColumn<DocumentValues>
  is_open: Generated<boolean>
  published: ColumnType<DocumentValues | null, string | null, string | null>
  published_at: Date | null
  saved_at: Date
  saved_by: number | null
}

type DocumentRevisions = {
  revision: Generated<number>
  document: string
  kind: 'published' | 'replaced'
  content: JsonObjectColumn<DocumentValues>
  saved_at: Date
  saved_by: number | null
}

type Banners = {
  id: Generated<number>
  position: number
  picture: string | null
  picture_phone: string | null
  title: string[]
  line: Generated<string>
  tag: Generated<string>
  href: string
  visible: Generated<boolean>
  shown_from: Date | null
  shown_until: Date | null
  version: Generated<number>
}

type Downloads = {
  seq: Generated<number>
  position: number
  link_name: string
  link_address: string
  link_type: string
  link_description: string
  link_date: Date
  link_icon: string
  link_version: Generated<string>
  link_size: Generated<string>
  link_changes: Generated<string>
  visible: Generated<boolean>
  version: Generated<number>
}

type Media = {
  id: Generated<number>
  kind: 'gallery' | 'wallpaper' | 'movie'
  position: number
  title: string
  description: Generated<string>
  credit: Generated<string>
  picture: string | null
  created_at: Date
  visible: Generated<boolean>
  alt: Generated<string>
  previews: JsonListColumn<StoredFile>
  files: JsonListColumn<StoredFile>
  captions: JsonListColumn<Captions>
  seconds: number | null
  version: Generated<number>
}

type ClubAreas = {
  id: Generated<number>
  name: string
  club: string | null
  tax_percent: Generated<number>
  picture: string | null
  position: Generated<number>
  visible: Generated<boolean>
  version: Generated<number>
  /** The area's RegionID in the game. */
  game_region: Generated<number | null>
  held_since: Generated<Date | null>
}

export const contentHoldings: Holdings<ContentTables> = {
  news: { notPersonal: ['subject', 'author', 'content', 'picture'] },
  news_drafts: { notPersonal: ['subject', 'author', 'content', 'picture'] },
  news_revisions: { notPersonal: ['kind', 'subject', 'author', 'content', 'picture'] },
  events: {
    notPersonal: ['title', 'about', 'picture', 'prize', 'board', 'repeats', 'cancelled_why', 'post_due', 'exceptions'],
  },
  event_results: { notPersonal: ['result'] },
  event_reminders: { player: 'user_num', erase: 'delete', copy: 'event_reminders', policy: 'Reminders' },
  previews: { notPersonal: ['token_hash', 'kind', 'name'] },
  documents: { notPersonal: ['name', 'draft', 'published'] },
  document_revisions: { notPersonal: ['document', 'kind', 'content'] },
  banners: { notPersonal: ['picture', 'picture_phone', 'title', 'line', 'tag', 'href'] },
  downloads: {
    notPersonal: [
      ...(['link_name', 'link_address', 'link_type', 'link_description', 'link_icon', 'link_version'] as const),
      ...(['link_size', 'link_changes'] as const),
    ],
  },
  media: {
    notPersonal: ['picture', 'kind', 'title', 'description', 'credit', 'alt', 'previews', 'files', 'captions'],
  },
  club_areas: { notPersonal: ['name', 'club', 'picture'] },
  area_holders: { notPersonal: ['area_name', 'club'] },
  looks: { notPersonal: ['value', 'stylesheet', 'published_by'] },
  look_draft: { notPersonal: ['value', 'stylesheet', 'saved_by'] },
  files: { notPersonal: ['hash', 'type', 'content'] },
}
