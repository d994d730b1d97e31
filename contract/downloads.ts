import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NEWS_CACHE_MS } from './limits.ts'

export const downloadSchema = z
  .object({
    seq: z.int(),
    link_name: z.string(),
    link_address: z.string(),
    link_type: z.string(),
    link_description: z.string(),
    link_date: z.iso.datetime({ offset: true }),
    link_icon: z.string(),
  })
  .meta({ id: 'Download' })

export type Download = z.infer<typeof downloadSchema>

export const getDownloadsAll = endpoint({
  method: 'GET',
  path: '/getdownloadsall',
  summary: 'The download links, in the order to try them',
  area: 'downloads',
  access: 'public',
  cache: { freshMs: NEWS_CACHE_MS, stored: true },
  output: z.object({ data: z.array(downloadSchema) }),
})
