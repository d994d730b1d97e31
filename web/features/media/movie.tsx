import type { Media } from '#contract/media.ts'
import { Panel } from '#web/ui/panel.tsx'
import styles from './movie.module.css'
import { sizeWords } from './picture-sources.ts'

/**
 * A movie in the browser's own player: its keys, its captions menu, its full screen. Before
 * somebody presses play nothing but the poster is fetched.
 */
export function Movie({ movie }: { movie: Media }) {
  const { id, title, description, credit, seconds, files, captions, previews, picture } = movie
  const [poster] = previews
  const { width = 16, height = 9, bytes = null } = files[0] ?? {}
  const facts = [
    seconds !== null && `${seconds} seconds`,
    sizeWords(bytes),
    captions.length > 0 && `captions in ${captions.map(({ label }) => label).join(' and ')}`,
  ].filter(Boolean)
  return (
    <li>
      <Panel>
        {/* biome-ignore lint/a11y/useMediaCaption: the tracks are in the list below */}
        <video
          className={styles.video}
          controls
          preload="none"
          playsInline
          poster={poster?.url ?? picture ?? undefined}
          width={width}
          height={height}
          aria-labelledby={`movie-${id}`}
        >
          {files.map(({ url, type }) => (
            <source key={url} src={url} type={type} />
          ))}
          {captions.map(({ url, language, label }, index) => (
            <track key={url} kind="captions" src={url} srcLang={language} label={label} default={index === 0} />
          ))}
          Your browser plays no films. You can <a href={files[0]?.url}>fetch this one</a> and play it elsewhere.
        </video>
        <div className={styles.words}>
          <h2 id={`movie-${id}`} className={styles.title}>
            {title}
          </h2>
          <p className={styles.line}>{description}</p>
          <p className={styles.credit}>
            {facts.join(', ')}. Made by {credit}.
          </p>
        </div>
      </Panel>
    </li>
  )
}
