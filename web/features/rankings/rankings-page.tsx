import { BOARDS } from '#contract/game.ts'
import { monthName } from '#contract/manila.ts'
import { RANKINGS } from '#contract/messages.ts'
import { usePageSearch } from '#web/api/page.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { RankingBoard } from './ranking-board.tsx'
import { RankingTools } from './ranking-tools.tsx'
import { BOARD_NAMES, rankingPath, rankingSearch } from './ranking-view.ts'
import styles from './rankings-page.module.css'

export default function RankingsPage() {
  const view = usePageSearch(rankingSearch)
  const tabs = BOARDS.map((board) => ({ key: board, label: BOARD_NAMES[board], to: rankingPath({ ...view, board }) }))
  return (
    <>
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
    </>
  )
}
