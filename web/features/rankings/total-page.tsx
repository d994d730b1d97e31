import { BOARD_NAMES, BOARDS } from '#contract/game.ts'
import { useComingSearch, usePageSearch } from '#web/api/page.ts'
import { useLoaded } from '#web/api/queries.ts'
import { ABOVE, PageHead } from '#web/shell/page-head.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { BoardPanel, BoardTools, MonthsArchive, OwnRanks, RankingSpans } from './board-parts.tsx'
import { totalPath, totalQuery, totalSearch } from './span-view.ts'

/** The page with the boards of all time. */
export default function TotalPage() {
  const view = usePageSearch(totalSearch)
  const coming = useComingSearch(totalSearch)
  const { data, refetch, isFetching } = useLoaded(totalQuery(view.board))
  const name = `Total ${BOARD_NAMES[view.board]} Ranking`
  const tabs = BOARDS.map((board) => ({ key: board, label: BOARD_NAMES[board], to: totalPath({ ...coming, board }) }))
  return (
    <>
      <PageHead
        above={[ABOVE.rankings]}
        crumb="Total"
        title={name}
        lines={['Top 100 players of all time.', 'These boards are never reset.']}
        actions={<BoardTools label="Time" spans={[]} onUpdate={() => void refetch()} busy={isFetching} />}
      />
      <div>
        <RankingSpans current="/rankings/total" />
        <TabLinks label="Rankings" tabs={tabs} current={view.board} list="ranking" />
        <OwnRanks choice={view} of="total" />
        <BoardPanel
          name={name}
          caption={`${name}, all time`}
          choice={view}
          getPath={(choice) => totalPath({ ...coming, ...choice })}
          rows={data}
          isFetching={isFetching}
          onUpdate={() => void refetch()}
        />
        <MonthsArchive board={view.board} />
      </div>
    </>
  )
}
