import { getMedia, type Media, type MediaFile } from '#contract/media.ts'
import { useHeadLines } from '#web/api/documents.ts'
import { useCall } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Icon } from '#web/ui/icon.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import styles from './media.module.css'
import { createFileName, filterByShape, formatSize } from './media-files.ts'
import { MediaStates, Picture } from './media-parts.tsx'

/** Lists the wallpapers, each in every resolution (MEDIA-1). */
export default function WallpaperPage() {
  return (
    <>
      <PageHead crumb="Wallpaper" title="Wallpaper" lines={useHeadLines('wallpaper')} />
      <Wallpapers />
    </>
  )
}

function Wallpapers() {
  const { data: answer, isFetching } = useCall(getMedia, { kind: 'wallpaper' })
  const data = answer?.data
  if (data === undefined || data.length === 0) {
    return <MediaStates isLoading={isFetching} hasFailed={data === undefined} itemsName="wallpapers" />
  }
  return (
    <ul className={layout.panels} aria-label="Wallpapers">
      {data.map((wallpaper, index) => (
        <WallpaperCard key={wallpaper.id} wallpaper={wallpaper} isFirst={index === 0} />
      ))}
    </ul>
  )
}

const SHAPES = [
  { shape: 'wide', device: 'Desktop' },
  { shape: 'tall', device: 'Phone' },
] as const

/** A wallpaper as it looks on a desktop and a phone, with a download for each resolution. */
function WallpaperCard({ wallpaper, isFirst }: { wallpaper: Media; isFirst: boolean }) {
  const { title, description, credit, previews, picture, alt, files } = wallpaper
  const tall = filterByShape(previews, 'tall')
  return (
    <li>
      <Panel className={styles.wallpaper}>
        <div className={styles.screens}>
          <div>
            <Picture
              files={filterByShape(previews, 'wide')}
              fallbackUrl={picture}
              alt={alt}
              sizes="(min-width: 1024px) 560px, 100vw"
              isEager={isFirst}
              className={styles.wide}
            />
          </div>
          {tall.length > 0 && (
            <div className={styles.phone}>
              <Picture files={tall} fallbackUrl={null} alt="" sizes="150px" isEager={isFirst} className={styles.tall} />
            </div>
          )}
        </div>
        <div className={styles.about}>
          <h2 className={styles.heading}>{title}</h2>
          <p className={styles.line}>{description}</p>
          <p className={styles.credit}>Drawn by {credit}</p>
          <ul className={styles.downloads} aria-label={`Downloads of ${title}`}>
            {SHAPES.flatMap(({ shape, device }) =>
              filterByShape(files, shape).map((file) => (
                <Download key={file.url} file={file} shape={shape} device={device} title={title} />
              )),
            )}
          </ul>
        </div>
      </Panel>
    </li>
  )
}

type DownloadProps = { file: MediaFile; shape: 'wide' | 'tall'; device: string; title: string }

function Download({ file, shape, device, title }: DownloadProps) {
  return (
    <li data-shape={shape}>
      <a className={styles.download} href={file.url} download={createFileName(title, file)}>
        <Icon name="download" size={22} />
        <span className={text.size20Loose}>
          {file.width}×{file.height}
        </span>
        <span className={styles.size}>
          {device}
          {file.bytes !== null && `, ${formatSize(file.bytes)}`}
        </span>
      </a>
    </li>
  )
}
