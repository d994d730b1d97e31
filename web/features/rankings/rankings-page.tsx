import { type MetaFunction, useLoaderData } from 'react-router'
import { BOARDS } from '#contract/game.ts'
import { monthName } from '#contract/manila.ts'
import { RANKINGS } from '#contract/messages.ts'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { browserLoad, serverLoad } from '#web/api/page-data.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { boardQuery, periodsQuery } from './queries.ts'
import { RankingBoard } from './ranking-board.tsx'
import { RankingTools } from './ranking-tools.tsx'
import { BOARD_NAMES, rankingPath, readRankingView } from './ranking-view.ts'
import styles from './rankings-page.module.css'
import { useRankingView } from './use-ranking-view.ts'

const queriesOf = ({ url }: { url: URL }) => {
  const { board, period } = readRankingView(url.searchParams)
  return [boardQuery(board, period), periodsQuery]
}

export const loader = serverLoad(queriesOf)
export const clientLoader = browserLoad(queriesOf)

export const meta: MetaFunction = ({ matches, location }) => {
  const view = readRankingView(new URLSearchParams(location.search))
  const month = view.period ? `${monthName(view.period)}, closed` : 'this month'
  return pageMeta(matches, {
    crumb: `${BOARD_NAMES[view.board]} Ranking`,
    description: `The top 100 players by ${BOARD_NAMES[view.board]}, ${month}: every school, every class, counted in Manila time.`,
    path: rankingPath(view),
  })
}

export default function RankingsPage() {
  const { dehydrated } = useLoaderData<typeof loader>()
  const view = useRankingView()
  const tabs = BOARDS.map((board) => ({ key: board, label: BOARD_NAMES[board], to: rankingPath({ ...view, board }) }))
  return (
    <HydrateQueries packed={dehydrated}>
      <PageHead
        crumb="Overall rankings"
        title={`${BOARD_NAMES[view.board]} Ranking`}
        lines={[RANKINGS.noteTop, RANKINGS.noteReset]}
      />
      <div>
        <div className={styles.bar}>
          <TabLinks label="Rankings" tabs={tabs} current={view.board} panelId="ranking" />
          <RankingTools view={view} />
        </div>
        <RankingBoard view={view} />
      </div>
    </HydrateQueries>
  )
}
