import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { NEWS_CACHE_MS } from './limits.ts'
import { offsetMoment } from './scalars.ts'

const downloads = declareCalls('downloads', 'public')

/** The texts of the download page (DOWNLOAD-1, DOWNLOAD-3), letter for letter. */
export const DOWNLOAD_TEXTS = {
  heading: 'Full Client Download',
  prompt: 'Please choose one of the download links.',
  fullGuide: 'Full game guide',
  quickGuide: 'Quick game guide',
  requirements: 'System Requirement',
  columns: ['Item', 'Minimum', 'Recommended'],
  rows: [
    ['CPU', 'Pentium4 1GHz+', 'Core2 Duo 2.0GHz+'],
    ['RAM', '1GB+', '2GB+'],
    ['Graphics card', 'Geforce 6000+ or ATI Radeon X+', 'same'],
    ['Disk space', '3GB+', '4GB+'],
    ['DirectX', '9.0c+', '9.0+ with 3D effects'],
    ['Connection', 'broadband; 56K modem and Wifi not recommended', 'broadband ADSL+'],
    ['Operating system', 'Windows XP+', 'Windows 7+'],
  ],
  note: 'The specs are for one client. Multiple clients may lower performance.',
  changes: 'What changed',
  patchNotes: 'All patch notes',
  linkMailed: 'The link is on its way to your email address.',
} as const

export const downloadSchema = z
  .object({
    seq: z.int(),
    link_name: z.string(),
    link_address: z.string(),
    link_type: z.string(),
    link_description: z.string(),
    link_date: offsetMoment,
    link_icon: z.string(),
    link_version: z
      .string()
      .meta({ description: 'Empty if it was not entered; `link_size` and `link_changes` can be empty, too' }),
    link_size: z.string(),
    link_changes: z.string().meta({ description: 'What changed in this version, one change to a line' }),
  })
  .meta({ id: 'Download' })

export type Download = z.infer<typeof downloadSchema>

export const getDownloadsAll = downloads.get('/getdownloadsall', {
  summary: 'The download links, in the recommended order',
  cache: { freshMs: NEWS_CACHE_MS, stored: true },
  output: z.object({ data: z.array(downloadSchema) }),
})

export const mailDownloadLink = downloads.post('/maildownloadlink', {
  summary: 'Mail the address of the download page to the caller’s own email address, to open it on a computer',
  access: 'player',
  limit: 'downloadLinkMails',
  output: messageSchema,
})
