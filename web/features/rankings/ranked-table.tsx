import type { Board } from '#contract/game.ts'
import { BOARD_COLUMNS, type BoardRow, COMMON_HEADS } from './columns.ts'
import type { WithRank } from './filter-ranked.ts'
import { RankedBand } from './ranked-band.tsx'
import { RankedRow } from './ranked-row.tsx'
import styles from './ranked-table.module.css'

type Props = {
  board: Board
  ranked: readonly WithRank<BoardRow>[]
  /** What the table holds, for screen readers. */
  caption: string
  /** The home page's widget: narrower, classes and schools as marks alone. */
  compact?: boolean
}

/** A board's rows under its heads. The first of them is a band that stands above the heads. */
export function RankedTable({ board, ranked, caption, compact = false }: Props) {
  const heads = [...COMMON_HEADS, ...BOARD_COLUMNS[board].map(({ head }) => head)]
  return (
    <table className={compact ? styles.compact : styles.full} data-board={board}>
      <caption className="visually-hidden">{caption}</caption>
      <thead className={styles.heads}>
        <tr className={styles.grid}>
          {heads.map((head, index) => (
            <th key={head} scope="col" className={index < COMMON_HEADS.length ? styles.word : styles.value}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles.body}>
        {ranked.map((entry) => {
          const Row = entry.rank === 1 ? RankedBand : RankedRow
          return <Row key={entry.row.ChaNum} board={board} entry={entry} compact={compact} />
        })}
      </tbody>
    </table>
  )
}
