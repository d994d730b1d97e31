import { z } from 'zod'
import { deskList, deskQuery } from './desk-list.ts'
import { bannerForm, clubAreaForm, downloadForm, mediaForm } from './desk-site-fields.ts'
import { endpoint } from './endpoint.ts'
import { changedMeanwhile } from './errors.ts'
import { MEDIA_KINDS } from './media.ts'

const area = 'desk: site'
const unit = z.int()
const moment = z.iso.datetime().nullable()
const picture = z.string().nullable()

/** What has an order and can be shown or hidden. */
export const SITE_KINDS = ['banners', 'downloads', 'gallery', 'wallpaper', 'movie', 'club-areas'] as const
export type SiteKind = (typeof SITE_KINDS)[number]

const entry = { id: unit, version: unit, visible: z.boolean() }
const said = z.object({ message: z.string() })
const errors = {
  changedMeanwhile,
  noEntry: { status: 404, message: 'This no longer exists.' },
} as const

/** Calls of one kind: its list, which is short and comes whole, and one that makes or changes an entry. */
const writing = { area, access: 'site.write', errors, idempotent: true, output: said.extend({ id: unit }) } as const
const reading = { method: 'GET', area, access: 'site.write' } as const
const whole = deskQuery(['position'], {})

export const getDeskBanners = endpoint({
  ...reading,
  path: '/admin/banners',
  summary: 'The banners in their order, hidden and planned ones too',
  input: { query: whole },
  output: deskList(
    z.object({
      ...entry,
      title: z.array(z.string()),
      line: z.string(),
      tag: z.string(),
      href: z.string(),
      picture,
      picture_phone: picture,
      shown_from: moment,
      shown_until: moment,
    }),
  ),
})

export const saveBanner = endpoint({
  ...writing,
  method: 'POST',
  path: '/admin/banners/save',
  summary: 'Make or change a banner',
  input: { body: z.object(bannerForm.shape) },
  fields: bannerForm,
})

export const getDeskDownloads = endpoint({
  ...reading,
  path: '/admin/downloads',
  summary: 'The download links in their order, hidden ones too',
  input: { query: whole },
  output: deskList(
    z.object({
      ...entry,
      link_name: z.string(),
      link_address: z.string(),
      link_type: z.string(),
      link_description: z.string(),
      link_date: z.iso.datetime(),
      link_icon: z.string(),
    }),
  ),
})

export const saveDownload = endpoint({
  ...writing,
  method: 'POST',
  path: '/admin/downloads/save',
  summary: 'Make or change a download link',
  input: { body: z.object(downloadForm.shape) },
  fields: downloadForm,
})

const storedFile = z.object({ url: z.string(), type: z.string(), width: unit, height: unit })

export const getDeskMedia = endpoint({
  ...reading,
  path: '/admin/media',
  summary: 'The gallery, the wallpapers or the movies in their order, hidden ones too',
  input: { query: deskQuery(['position'], { kind: z.enum(MEDIA_KINDS, 'Choose a kind.') }) },
  output: deskList(
    z.object({
      ...entry,
      kind: z.enum(MEDIA_KINDS),
      title: z.string(),
      description: z.string(),
      alt: z.string(),
      credit: z.string(),
      created_at: z.iso.datetime(),
      previews: z.array(storedFile),
      files: z.array(storedFile),
      captions: z.array(z.object({ url: z.string(), language: z.string(), label: z.string() })),
      seconds: unit.nullable(),
    }),
  ),
})

export const saveMedia = endpoint({
  ...writing,
  method: 'POST',
  path: '/admin/media/save',
  summary: 'Make or change a gallery picture, a wallpaper or a movie',
  input: { body: z.object(mediaForm.shape) },
  fields: mediaForm,
})

export const getDeskClubAreas = endpoint({
  ...reading,
  path: '/admin/club-areas',
  summary: 'The areas that clubs fight for in their order, hidden ones too',
  input: { query: whole },
  output: deskList(
    z.object({
      ...entry,
      name: z.string(),
      club: z.string().nullable(),
      tax_percent: unit,
      picture,
    }),
  ),
})

export const saveClubArea = endpoint({
  ...writing,
  method: 'POST',
  path: '/admin/club-areas/save',
  summary: 'Make or change a club area',
  input: { body: z.object(clubAreaForm.shape) },
  fields: clubAreaForm,
})

export const orderEntries = endpoint({
  method: 'POST',
  path: '/admin/site/order',
  summary: 'Put entries into another order',
  area,
  access: 'site.write',
  input: {
    body: z.object({ kind: z.enum(SITE_KINDS), ids: z.array(unit).min(1).max(2000) }),
  },
  output: said,
  errors,
})

export const deleteEntry = endpoint({
  method: 'POST',
  path: '/admin/site/delete',
  summary: 'Delete an entry for good; hiding keeps it',
  area,
  access: 'site.write',
  input: { body: z.object({ kind: z.enum(SITE_KINDS), id: unit, version: unit }) },
  output: said,
  errors,
})
