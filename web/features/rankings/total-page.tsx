import { BOARD_NAMES, BOARDS } from '#contract/game.ts'
import { usePageSearch, usePendingSearch } from '#web/api/page.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { BoardPanel, BoardTools, MonthsArchive, MyRanks, RankingSpans } from './board-parts.tsx'
import { getTotalPath, getTotalQuery, totalSearch } from './span-view.ts'

/** The page with the boards of all time. */
export default function TotalPage() {
  const view = usePageSearch(totalSearch)
  const pendingView = usePendingSearch(totalSearch)
  const { data, refetch, isFetching } = usePageQuery(getTotalQuery(view.board))
  const name = `Total ${BOARD_NAMES[view.board]} Ranking`
  const tabs = BOARDS.map((board) => ({
    key: board,
    label: BOARD_NAMES[board],
    to: getTotalPath({ ...pendingView, board }),
  }))
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.rankings]}
        crumb="Total"
        title={name}
        lines={['Top 100 players of all time.', 'These boards are never reset.']}
        actions={<BoardTools label="Time" spans={[]} onUpdate={() => void refetch()} busy={isFetching} />}
      />
      <div>
        <RankingSpans current="/rankings/total" />
        <TabLinks label="Rankings" tabs={tabs} current={view.board} list="ranking" />
        <MyRanks choice={view} of="total" />
        <BoardPanel
          name={name}
          caption={`${name}, all time`}
          choice={view}
          getPath={(choice) => getTotalPath({ ...pendingView, ...choice })}
          rows={data}
          isFetching={isFetching}
          onUpdate={() => void refetch()}
        />
        <MonthsArchive board={view.board} />
      </div>
    </>
  )
}
