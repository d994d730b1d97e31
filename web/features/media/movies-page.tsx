import { getMedia } from '#contract/media.ts'
import { useCall } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { MediaStates } from './media-states.tsx'
import styles from './movie.module.css'
import { Movie } from './movie.tsx'

/** The movies, played from this site alone; nothing starts by itself. */
export default function MoviesPage() {
  return (
    <>
      <PageHead
        crumb="Movie"
        title="Movie"
        lines={['Short films from the roof down. Small enough for prepaid data, captioned for the jeepney.']}
      />
      <Movies />
    </>
  )
}

function Movies() {
  const { data: answer, isFetching } = useCall(getMedia, { kind: 'movie' })
  const data = answer?.data
  if (data === undefined || data.length === 0) {
    return <MediaStates loading={isFetching} failed={data === undefined} what="movies" />
  }
  return (
    <ul className={styles.list} aria-label="Movies">
      {data.map((movie) => (
        <Movie key={movie.id} movie={movie} />
      ))}
    </ul>
  )
}
