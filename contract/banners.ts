import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { BANNER_CACHE_MS } from './limits.ts'

const site = declareCalls('site', 'public')

/**
 * A slide of the rotator. BANNER-2 specifies `id` and `img_url`. The site adds a picture for phones, and the headline,
 * line, tag and link that it shows over the picture.
 */
const siteBannerSchema = z
  .object({
    id: z.int(),
    img_url: z.string().nullable(),
    img_phone_url: z.string().nullable(),
    title: z.array(z.string()).meta({ description: 'The headline, one entry per line' }),
    line: z.string(),
    tag: z.string(),
    href: z.string(),
  })
  .meta({ id: 'SiteBanner' })

export type SiteBanner = z.infer<typeof siteBannerSchema>

export const getSiteBanners = site.get('/getSiteBanners', {
  summary: 'The slides of the banner rotator, in their order',
  cache: { freshMs: BANNER_CACHE_MS, stored: true },
  output: z.object({ data: z.array(siteBannerSchema) }),
})
