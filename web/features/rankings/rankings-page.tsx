import { BOARD_NAMES, BOARDS } from '#contract/game.ts'
import { formatMonth } from '#contract/manila.ts'
import { RANKING_TEXTS } from '#contract/messages.ts'
import { getRankingPeriods } from '#contract/rankings.ts'
import { usePageSearch, usePendingSearch } from '#web/api/page.ts'
import { useCall, usePageQuery } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { BoardPanel, BoardTools, MyRanks, RankingSpans } from './board-parts.tsx'
import { getRankingBoardQuery, getRankingPath, type RankingView, rankingSearch } from './rankings-view.ts'

export default function RankingsPage() {
  const view = usePageSearch(rankingSearch)
  const pendingView = usePendingSearch(rankingSearch)
  const tabs = BOARDS.map((board) => ({
    key: board,
    label: BOARD_NAMES[board],
    to: getRankingPath({ ...pendingView, board }),
  }))
  return (
    <>
      <PageHead
        crumb="Overall rankings"
        title={`${BOARD_NAMES[view.board]} Ranking`}
        lines={[RANKING_TEXTS.noteTop, RANKING_TEXTS.noteReset]}
        actions={<RankingTools view={view} />}
      />
      <div>
        <RankingSpans current="/rankings" />
        <TabLinks label="Rankings" tabs={tabs} current={view.board} list="ranking" />
        <MyRanks choice={view} of="month" period={view.period ?? undefined} />
        <RankingBoard view={view} />
      </div>
    </>
  )
}

/** The menu of months, and the button that reloads the boards. */
function RankingTools({ view }: { view: RankingView }) {
  const months = useCall(getRankingPeriods, {})
  const pendingView = usePendingSearch(rankingSearch)
  const { refetch, isFetching } = usePageQuery(getRankingBoardQuery(view.board, view.period))
  return (
    <BoardTools
      label="Month"
      spans={(months.data?.data ?? []).map(({ period, open }) => ({
        key: period,
        name: formatMonth(period),
        state: open ? 'this month' : 'closed',
        to: getRankingPath({ ...pendingView, period: open ? null : period }),
        isShown: view.period === null ? open : view.period === period,
      }))}
      onUpdate={() => void refetch()}
      busy={isFetching}
    />
  )
}

function RankingBoard({ view }: { view: RankingView }) {
  const { data, refetch, isFetching } = usePageQuery(getRankingBoardQuery(view.board, view.period))
  const pendingView = usePendingSearch(rankingSearch)
  const name = `${BOARD_NAMES[view.board]} Ranking`
  return (
    <BoardPanel
      name={name}
      caption={`${name}, ${view.period ? formatMonth(view.period) : 'this month'}`}
      choice={view}
      getPath={(choice) => getRankingPath({ ...pendingView, ...choice })}
      rows={data}
      isFetching={isFetching}
      onUpdate={() => void refetch()}
    />
  )
}
