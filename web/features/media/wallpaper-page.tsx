import { useQuery } from '@tanstack/react-query'
import { type MetaFunction, useLoaderData } from 'react-router'
import { browserClient } from '#web/api/client.ts'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { browserLoad, serverLoad } from '#web/api/page-data.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { MediaStates } from './media-states.tsx'
import { mediaQuery } from './queries.ts'
import styles from './wallpaper-card.module.css'
import { WallpaperCard } from './wallpaper-card.tsx'

const wallpapersQuery = mediaQuery('wallpaper')

export const loader = serverLoad(() => [wallpapersQuery])
export const clientLoader = browserLoad(() => [wallpapersQuery])

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: 'Wallpaper',
    description:
      'Wallpapers of the campus at night for desktop and phone: 1920×1080, 2560×1440 and 1080×2400, drawn by us.',
    path: '/wallpaper',
  })

/** The wallpapers, each in every resolution it was drawn in. */
export default function WallpaperPage() {
  const { dehydrated } = useLoaderData<typeof loader>()
  return (
    <HydrateQueries packed={dehydrated}>
      <PageHead
        crumb="Wallpaper"
        title="Wallpaper"
        lines={['The campus for your desktop and your phone. The phone’s are drawn upright, not cut out.']}
      />
      <Wallpapers />
    </HydrateQueries>
  )
}

function Wallpapers() {
  const { data, isFetching } = useQuery(wallpapersQuery(browserClient))
  if (data === undefined || data.length === 0) {
    return <MediaStates loading={isFetching} failed={data === undefined} what="wallpapers" />
  }
  return (
    <ul className={styles.list} aria-label="Wallpapers">
      {data.map((wallpaper, index) => (
        <WallpaperCard key={wallpaper.id} wallpaper={wallpaper} first={index === 0} />
      ))}
    </ul>
  )
}
