import { getMedia, type Media } from '#contract/media.ts'
import { useHeadLines } from '#web/api/documents.ts'
import { useCall } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import styles from './media.module.css'
import { formatSize } from './media-files.ts'
import { MediaStates } from './media-parts.tsx'

/** Lists the movies (MEDIA-1). None starts automatically. */
export default function MoviesPage() {
  return (
    <>
      <PageHead crumb="Movie" title="Movie" lines={useHeadLines('movies')} />
      <Movies />
    </>
  )
}

function Movies() {
  const { data: answer, isFetching } = useCall(getMedia, { kind: 'movie' })
  const data = answer?.data
  if (data === undefined || data.length === 0) {
    return <MediaStates isLoading={isFetching} hasFailed={data === undefined} itemsName="movies" />
  }
  return (
    <ul className={`${layout.panels} ${styles.movies}`} aria-label="Movies">
      {data.map((movie) => (
        <Movie key={movie.id} movie={movie} />
      ))}
    </ul>
  )
}

/** A movie in the browser's player. Only the poster loads until the visitor presses play. */
function Movie({ movie }: { movie: Media }) {
  const { id, title, description, credit, seconds, files, captions, previews, picture } = movie
  const [poster] = previews
  // The site plays only its own files; movies of other sites are links.
  const externalFile = files.find(({ url }) => !url.startsWith('/'))
  const { width = 16, height = 9, bytes = null } = files[0] ?? {}
  const facts = [
    seconds !== null && `${seconds} seconds`,
    formatSize(bytes),
    captions.length > 0 && `captions in ${captions.map(({ label }) => label).join(' and ')}`,
  ].filter(Boolean)
  return (
    <li>
      <Panel>
        {externalFile === undefined ? (
          /* biome-ignore lint/a11y/useMediaCaption: the tracks are in the list below */
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
            Your browser cannot play this movie. You can <a href={files[0]?.url}>download it</a> and play it elsewhere.
          </video>
        ) : (
          <a href={externalFile.url}>
            <img
              className={styles.video}
              src={poster?.url ?? picture ?? undefined}
              alt=""
              width={width}
              height={height}
            />
            Watch at {new URL(externalFile.url).hostname}
          </a>
        )}
        <div className={styles.story}>
          <h2 id={`movie-${id}`} className={styles.heading}>
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
