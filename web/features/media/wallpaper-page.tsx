import { getMedia } from '#contract/media.ts'
import { useCall } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { MediaStates } from './media-states.tsx'
import styles from './wallpaper-card.module.css'
import { WallpaperCard } from './wallpaper-card.tsx'

/** The wallpapers, each in every resolution it was drawn in. */
export default function WallpaperPage() {
  return (
    <>
      <PageHead
        crumb="Wallpaper"
        title="Wallpaper"
        lines={['The campus for your desktop and your phone. The phone’s are drawn upright, not cut out.']}
      />
      <Wallpapers />
    </>
  )
}

function Wallpapers() {
  const { data: answer, isFetching } = useCall(getMedia, { kind: 'wallpaper' })
  const data = answer?.data
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
