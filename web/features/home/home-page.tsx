import { type MetaFunction, useLoaderData, useSearchParams } from 'react-router'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { browserLoad, serverLoad } from '#web/api/page-data.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { ResetCard } from '#web/shell/reset-card.tsx'
import { NEWS_BOARDS } from '../news/boards.ts'
import { newsBoardQuery } from '../news/queries.ts'
import { ClubAreas } from './club-areas.tsx'
import { HomeNews } from './home-news.tsx'
import styles from './home-page.module.css'
import { HomeRanking } from './home-ranking.tsx'
import { readHomeView } from './home-view.ts'
import { clubAreasQuery, homeRankingQuery } from './queries.ts'
import { SocialSign } from './social-sign.tsx'

const queriesOf = ({ url }: { url: URL }) => [
  homeRankingQuery(readHomeView(url.searchParams)),
  clubAreasQuery,
  ...NEWS_BOARDS.map(({ key }) => newsBoardQuery(key, 1)),
]

export const loader = serverLoad(queriesOf)
export const clientLoader = browserLoad(queriesOf)

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: 'Home',
    description:
      'The hang-out of a small, proud server in the Philippines: three schools, monthly rankings, news, events and guides.',
    path: '/',
  })

/** The content zone of the home page; the hero and the side column are the shell's. */
export default function HomePage() {
  const { dehydrated, renderedAt } = useLoaderData<typeof loader>()
  const [query] = useSearchParams()
  const view = readHomeView(query)
  return (
    <HydrateQueries packed={dehydrated}>
      <div className={styles.top}>
        <HomeRanking view={view} />
        <div className={styles.side}>
          <ClubAreas />
          <ResetCard tone="paper" />
          <SocialSign />
        </div>
      </div>
      <HomeNews view={view} renderedAt={renderedAt} />
    </HydrateQueries>
  )
}
