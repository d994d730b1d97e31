import { classOfCode, schoolOfCode } from '#contract/game.ts'
import { Crest } from '#web/art/crest.tsx'
import { BOARD_COLUMNS, LEADING_FIELD } from './columns.ts'
import { ClassMark, SchoolMark } from './marks.tsx'
import styles from './ranked-band.module.css'
import type { RankedRowProps } from './ranked-row.tsx'
import { RankedValue } from './ranked-value.tsx'
import colors from './school-colors.module.css'

/** The first of a board: a band in the two halves of the school's colour, with its crest behind the joint. */
export function RankedBand({ board, entry: { rank, row }, compact }: RankedRowProps) {
  const school = schoolOfCode(row.ChaSchool)
  return (
    <tr className={`${compact ? styles.compact : styles.band} ${colors.colors}`} data-school={school?.key}>
      <td className={styles.rank}>{rank}</td>
      <td className={styles.name}>{row.ChaName}</td>
      <td className={styles.class}>
        <ClassMark name={classOfCode(row.ChaClass)} />
      </td>
      <td className={styles.school}>
        <SchoolMark school={school} />
        {!compact && school && (
          <span className={styles.ghost}>
            <Crest school={school.code} size={196} />
          </span>
        )}
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
