import { type Board, findClassByCode, findSchool } from '#contract/game.ts'
import { EMPTY_LIST_TEXTS } from '#contract/messages.ts'
import { formatCount } from '#contract/numbers.ts'
import { Crest } from '#web/art/crest.tsx'
import schools from '#web/art/schools.module.css'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { Value } from '#web/ui/value.tsx'
import { formatDay } from '../news/relative-time.ts'
import { ClassMark, SchoolMark } from './marks.tsx'
import band from './ranked-band.module.css'
import styles from './ranked-table.module.css'
import {
  BOARD_COLUMNS,
  type BoardRow,
  COMMON_HEADS,
  type Column,
  getCharacterPath,
  LEADING_FIELD,
  type RankedEntry,
} from './rankings-view.ts'

type RankedTableProps = {
  board: Board
  rankedRows: readonly RankedEntry<BoardRow>[]
  /** The table's content, for screen readers. */
  caption: string
  /** Whether this is the home page's narrow widget, where classes and schools show only emblems. */
  isCompact?: boolean
  /** The columns of a season's board; without them, the table shows a board of a month or of all time. */
  seasonColumns?: readonly Column[]
}

/** A board's rows with column heads. The first row is a band above the heads. */
export function RankedTable({ board, rankedRows, caption, isCompact = false, seasonColumns }: RankedTableProps) {
  const columns = seasonColumns ?? BOARD_COLUMNS[board]
  const leadField = seasonColumns === undefined ? LEADING_FIELD[board] : 'Value'
  const heads = [...COMMON_HEADS, ...columns.map(({ head }) => head)]
  return (
    <table
      className={isCompact ? styles.compact : styles.full}
      data-board={board}
      data-span={seasonColumns === undefined ? undefined : 'season'}
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead className={styles.heads}>
        <tr className={styles.grid}>
          {heads.map((head, index) => (
            <th key={head} scope="col" className={index < COMMON_HEADS.length ? undefined : styles.valueHead}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles.body}>
        {rankedRows.map((entry) => (
          <RankedRow
            key={entry.row.ChaNum}
            columns={columns}
            leadField={leadField}
            entry={entry}
            isCompact={isCompact}
          />
        ))}
      </tbody>
    </table>
  )
}

type RankedRowProps = {
  columns: readonly Column[]
  /** The field shown as the large number. */
  leadField: Column['field']
  entry: RankedEntry<BoardRow>
  /** Whether this is the home page's narrow widget. */
  isCompact: boolean
}

/**
 * A ranked character. The first is a band in the two colors of its school, with the crest where the colors meet
 * (LOOK-3). The second and third have the field of their school as their background.
 */
function RankedRow({ columns, leadField, entry: { rank, row }, isCompact }: RankedRowProps) {
  const school = findSchool(row.ChaSchool)
  const isBand = rank === 1
  const rowStyles = isBand ? band : styles
  const kind = isBand ? (isCompact ? band.compact : band.band) : rank <= 3 ? styles.podium : styles.row
  const classes = [kind, isCompact && !isBand && styles.bare, schools.colors]
  return (
    <tr
      id={isCompact ? undefined : `place-${rank}`}
      className={classes.filter(Boolean).join(' ')}
      data-school={school?.key}
    >
      <td className={rowStyles.rank}>{rank}</td>
      <td className={rowStyles.name}>
        {row.HasPage === false ? (
          row.ChaName
        ) : (
          <Link className={styles.page} to={getCharacterPath(row.ChaNum)}>
            {row.ChaName}
          </Link>
        )}
      </td>
      <td className={rowStyles.class}>
        <ClassMark name={findClassByCode(row.ChaClass)} />
      </td>
      <td className={rowStyles.school}>
        <SchoolMark school={school} />
        {isBand && !isCompact && school && (
          <span className={band.largeCrest}>
            <Crest school={school.code} size={196} />
          </span>
        )}
      </td>
      {columns.map((column) => (
        <RankedValue
          key={column.field}
          column={column}
          row={row}
          className={column.field === leadField ? rowStyles.lead : rowStyles.value}
        />
      ))}
    </tr>
  )
}

type RankedValueProps = { column: Column; row: BoardRow; className: string | undefined }

/** A cell with a number, a division, or the day of the last level. On narrow screens CSS adds its column head. */
function RankedValue({ column: { head, field }, row, className }: RankedValueProps) {
  if (field === 'Division') {
    return (
      <td className={className} data-head={head} data-word>
        {row.Division}
      </td>
    )
  }
  if (field !== 'ChaLevelUpDate') {
    return (
      <td className={className} data-head={head}>
        <Value>{formatCount(row[field] ?? 0)}</Value>
      </td>
    )
  }
  const { day, title } = formatDay(row.ChaLevelUpDate)
  return (
    <td className={className} data-head={head} data-day={title ? 'known' : 'none'}>
      {row.ChaLevelUpDate && title ? (
        <Value dateTime={row.ChaLevelUpDate} title={title}>
          {day}
        </Value>
      ) : (
        day
      )}
    </td>
  )
}

/** A placeholder for a board until its rows have loaded. */
export function RankedSkeleton({ rows }: { rows: number }) {
  return (
    <Loading>
      <div className={styles.skeletonBand} />
      <div className={styles.skeletonHead} />
      {Array.from({ length: rows - 1 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div className={styles.skeletonRow} key={index}>
          <Skeleton width={24} height={20} />
          <Skeleton width={150} height={18} />
          <Skeleton width={96} height={20} />
        </div>
      ))}
    </Loading>
  )
}

/** Shown when the board fails to load (FAIL-8: only logged), with a button to retry. */
export function RankingLoadFailure({ onUpdate }: { onUpdate: () => void }) {
  return (
    <EmptyState
      title="Nothing loaded"
      line="We couldn’t load the ranking. Check your connection and try again."
      action={<Button onClick={() => onUpdate()}>Update</Button>}
    />
  )
}

/** The text of an empty board, or of filters without a match. */
export function EmptyRanking({ isBoardEmpty, allPath }: { isBoardEmpty: boolean; allPath: string }) {
  if (isBoardEmpty)
    return <EmptyState title={EMPTY_LIST_TEXTS.emptyText} line="This board is empty. Play a round and be the first." />
  return (
    <EmptyState
      title={EMPTY_LIST_TEXTS.emptyText}
      line="No character of this school and class is in the top 100."
      action={<ButtonLink to={allPath}>Show all</ButtonLink>}
    />
  )
}
