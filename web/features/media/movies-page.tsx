import { useQuery } from '@tanstack/react-query'
import { type MetaFunction, useLoaderData } from 'react-router'
import { browserClient } from '#web/api/client.ts'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { browserLoad, serverLoad } from '#web/api/page-data.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { MediaStates } from './media-states.tsx'
import styles from './movie.module.css'
import { Movie } from './movie.tsx'
import { mediaQuery } from './queries.ts'

const moviesQuery = mediaQuery('movie')

export const loader = serverLoad(() => [moviesQuery])
export const clientLoader = browserLoad(() => [moviesQuery])

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: 'Movie',
    description: 'Short films of the campus at night, drawn and captioned by us, played from this site alone.',
    path: '/movies',
  })

/** The movies, played from this site alone; nothing starts by itself. */
export default function MoviesPage() {
  const { dehydrated } = useLoaderData<typeof loader>()
  return (
    <HydrateQueries packed={dehydrated}>
      <PageHead
        crumb="Movie"
        title="Movie"
        lines={['Short films from the roof down. Small enough for prepaid data, captioned for the jeepney.']}
      />
      <Movies />
    </HydrateQueries>
  )
}

function Movies() {
  const { data, isFetching } = useQuery(moviesQuery(browserClient))
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
