import type { ReactNode } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { getDeskBanners, getDeskClubAreas, getDeskDownloads, getDeskMedia, type SiteKind } from '#contract/site.ts'
import { type Query, toCallQuery } from '#web/api/queries.ts'

export type Banner = CallOutput<typeof getDeskBanners>['rows'][number]
export type Download = CallOutput<typeof getDeskDownloads>['rows'][number]
export type MediaEntry = CallOutput<typeof getDeskMedia>['rows'][number]
export type ClubArea = CallOutput<typeof getDeskClubAreas>['rows'][number]

/** An entry's texts and picture in the lists. */
type Summary = { title: string; line: string; picture?: string | null }
type Entry = { id: number; version: number; visible: boolean }

type Kind<Row> = {
  /** The label of the tab. */
  label: string
  /** The noun for one entry, such as 'banner'. */
  singular: string
  query: () => Query<{ rows: Row[] }>
  summary: (row: Row) => Summary
  /** The text of the empty list. */
  empty: string
}

const defineKind = <Row extends Entry>(definition: Kind<Row>) => definition as unknown as Kind<Entry>

const defineMediaKind = (name: 'gallery' | 'wallpaper' | 'movie', label: string, singular: string, empty: string) =>
  defineKind<MediaEntry>({
    label,
    singular,
    empty,
    query: () => toCallQuery(getDeskMedia, { kind: name }),
    summary: ({ title, credit, previews }) => ({ title, line: credit, picture: previews.at(-1)?.url ?? null }),
  })

/** The kinds of ordered entries: how each is labelled, loaded and listed. */
export const KINDS: Record<SiteKind, Kind<Entry>> = {
  banners: defineKind<Banner>({
    label: 'Banners',
    singular: 'banner',
    empty: 'Banners fill the top of the home page, one after the other.',
    query: () => toCallQuery(getDeskBanners, {}),
    summary: ({ title, line, picture }) => ({ title: title.join(' '), line, picture }),
  }),
  downloads: defineKind<Download>({
    label: 'Downloads',
    singular: 'download',
    empty: 'Links to the client, its mirrors and patches, shown on the download page.',
    query: () => toCallQuery(getDeskDownloads, {}),
    summary: ({ link_name, link_address }) => ({ title: link_name, line: link_address }),
  }),
  gallery: defineMediaKind('gallery', 'Gallery', 'picture', 'Pictures of the gallery.'),
  wallpaper: defineMediaKind(
    'wallpaper',
    'Wallpapers',
    'wallpaper',
    'Pictures that players download for their screens.',
  ),
  movie: defineMediaKind('movie', 'Movies', 'movie', 'Films that play on the site, or links to where they play.'),
  'club-areas': defineKind<ClubArea>({
    label: 'Club areas',
    singular: 'club area',
    empty: 'The areas that clubs fight for, on the home page.',
    query: () => toCallQuery(getDeskClubAreas, {}),
    summary: ({ name, club, tax_percent, picture }) => ({
      title: name,
      line: `${club ?? 'No club'} · ${tax_percent} % tax`,
      picture,
    }),
  }),
}

export const isKind = (name: string | undefined): name is SiteKind => name !== undefined && name in KINDS

/**
 * Properties of a form: the entry (null for a new one), a function to reload it, a handler for saving, and further
 * buttons.
 */
export type EntryFormProps = {
  row: Entry | null
  fetchLatest: () => Promise<Entry>
  onDone: () => void
  actions: ReactNode
}

/** Returns the properties that all kinds' forms share: the entry's values and the handling of a conflict. */
export function createSharedProps<Values extends object>(
  { row, fetchLatest, onDone, actions }: EntryFormProps,
  toValues: (row: Entry | null) => Values,
) {
  const toAllValues = (entry: Entry | null) => ({
    id: entry?.id ?? null,
    version: entry?.version ?? 0,
    visible: entry?.visible ?? true,
    ...toValues(entry),
  })
  return {
    values: toAllValues(row),
    fetchLatest: async () => toAllValues(await fetchLatest()),
    submitLabel: row === null ? 'Add it' : 'Save',
    successMessage: row === null ? 'Added.' : 'Saved.',
    onDone,
    actions,
  }
}
