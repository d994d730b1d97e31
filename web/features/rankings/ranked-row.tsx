import { type Board, classOfCode, schoolOfCode } from '#contract/game.ts'
import { BOARD_COLUMNS, type BoardRow, LEADING_FIELD } from './columns.ts'
import type { WithRank } from './filter-ranked.ts'
import { ClassMark, SchoolMark } from './marks.tsx'
import styles from './ranked-row.module.css'
import { RankedValue } from './ranked-value.tsx'
import colors from './school-colors.module.css'

export type RankedRowProps = {
  board: Board
  entry: WithRank<BoardRow>
  /** The home page's narrower widget. */
  compact: boolean
}

/** One ranked character; the second and third stand on their school's field. */
export function RankedRow({ board, entry: { rank, row }, compact }: RankedRowProps) {
  const school = schoolOfCode(row.ChaSchool)
  const classes = [rank <= 3 ? styles.podium : styles.row, compact && styles.bare, colors.colors]
  return (
    <tr className={classes.filter(Boolean).join(' ')} data-school={school?.key}>
      <td className={styles.rank}>{rank}</td>
      <td className={styles.name}>{row.ChaName}</td>
      <td className={styles.class}>
        <ClassMark name={classOfCode(row.ChaClass)} />
      </td>
      <td className={styles.school}>
        <SchoolMark school={school} />
      </td>
      {BOARD_COLUMNS[board].map((column) => (
        <RankedValue
          key={column.field}
          column={column}
          row={row}
          className={column.field === LEADING_FIELD[board] ? styles.lead : styles.value}
        />
      ))}
    </tr>
  )
}
