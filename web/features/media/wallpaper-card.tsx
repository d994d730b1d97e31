import type { Media, MediaFile } from '#contract/media.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { fileName } from './file-name.ts'
import { Picture } from './picture.tsx'
import { filesOfShape, sizeWords } from './picture-sources.ts'
import styles from './wallpaper-card.module.css'

const SHAPES = [
  { shape: 'wide', device: 'Desktop' },
  { shape: 'tall', device: 'Phone' },
] as const

/** A wallpaper as it looks on a desktop and on a phone, with a download for each resolution. */
export function WallpaperCard({ wallpaper, first }: { wallpaper: Media; first: boolean }) {
  const { title, description, credit, previews, picture, alt, files } = wallpaper
  const tall = filesOfShape(previews, 'tall')
  return (
    <li>
      <Panel className={styles.card}>
        <div className={styles.screens}>
          <div className={styles.desktop}>
            <Picture
              files={filesOfShape(previews, 'wide')}
              single={picture}
              alt={alt}
              sizes="(min-width: 1024px) 560px, 100vw"
              eager={first}
              className={styles.wide}
            />
          </div>
          {tall.length > 0 && (
            <div className={styles.phone}>
              <Picture files={tall} single={null} alt="" sizes="150px" eager={first} className={styles.tall} />
            </div>
          )}
        </div>
        <div className={styles.words}>
          <h2 className={styles.title}>{title}</h2>
          <p className={styles.line}>{description}</p>
          <p className={styles.credit}>Drawn by {credit}</p>
          <ul className={styles.downloads} aria-label={`Downloads of ${title}`}>
            {SHAPES.flatMap(({ shape, device }) =>
              filesOfShape(files, shape).map((file) => (
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
      <a className={styles.download} href={file.url} download={fileName(title, file)}>
        <Icon name="download" size={22} />
        <span className={styles.resolution}>
          {file.width}×{file.height}
        </span>
        <span className={styles.size}>
          {device}
          {file.bytes !== null && `, ${sizeWords(file.bytes)}`}
        </span>
      </a>
    </li>
  )
}
