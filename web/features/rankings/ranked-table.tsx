import { type Board, classOfCode, schoolOfCode } from '#contract/game.ts'
import { EMPTY } from '#contract/messages.ts'
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
  characterPath,
  LEADING_FIELD,
  type WithRank,
} from './rankings-view.ts'

type RankedTableProps = {
  board: Board
  ranked: readonly WithRank<BoardRow>[]
  /** The table's content, for screen readers. */
  caption: string
  /** The home page's widget: narrower, classes and schools as marks alone. */
  compact?: boolean
  /** The columns of a season's board, where they are not those of the month. */
  season?: readonly Column[]
}

/** A board's rows under its heads. The first of them is a band above the heads. */
export function RankedTable({ board, ranked, caption, compact = false, season }: RankedTableProps) {
  const columns = season ?? BOARD_COLUMNS[board]
  const lead = season === undefined ? LEADING_FIELD[board] : 'Value'
  const heads = [...COMMON_HEADS, ...columns.map(({ head }) => head)]
  return (
    <table
      className={compact ? styles.compact : styles.full}
      data-board={board}
      data-span={season === undefined ? undefined : 'season'}
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
        {ranked.map((entry) => (
          <RankedRow key={entry.row.ChaNum} columns={columns} lead={lead} entry={entry} compact={compact} />
        ))}
      </tbody>
    </table>
  )
}

type RankedRowProps = {
  columns: readonly Column[]
  /** The field of the large number. */
  lead: Column['field']
  entry: WithRank<BoardRow>
  /** The home page's narrower widget. */
  compact: boolean
}

/**
 * One ranked character. The first is a band in the two halves of its school's colour, with the crest behind the joint;
 * the second and third have their school's field behind them.
 */
function RankedRow({ columns, lead, entry: { rank, row }, compact }: RankedRowProps) {
  const school = schoolOfCode(row.ChaSchool)
  const isBand = rank === 1
  const look = isBand ? band : styles
  const kind = isBand ? (compact ? band.compact : band.band) : rank <= 3 ? styles.podium : styles.row
  const classes = [kind, compact && !isBand && styles.bare, schools.colors]
  return (
    <tr
      id={compact ? undefined : `place-${rank}`}
      className={classes.filter(Boolean).join(' ')}
      data-school={school?.key}
    >
      <td className={look.rank}>{rank}</td>
      <td className={look.name}>
        {row.HasPage === false ? (
          row.ChaName
        ) : (
          <Link className={styles.page} to={characterPath(row.ChaNum)}>
            {row.ChaName}
          </Link>
        )}
      </td>
      <td className={look.class}>
        <ClassMark name={classOfCode(row.ChaClass)} />
      </td>
      <td className={look.school}>
        <SchoolMark school={school} />
        {isBand && !compact && school && (
          <span className={band.ghost}>
            <Crest school={school.code} size={196} />
          </span>
        )}
      </td>
      {columns.map((column) => (
        <RankedValue
          key={column.field}
          column={column}
          row={row}
          className={column.field === lead ? look.lead : look.value}
        />
      ))}
    </tr>
  )
}

type RankedValueProps = { column: Column; row: BoardRow; className: string | undefined }

/** A cell with a number of a row, its division, or the day of its last level. On narrow screens CSS shows its head in it. */
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

/** Takes the space of a board until its rows are loaded. */
export function RankedSkeleton({ rows }: { rows: number }) {
  return (
    <Loading>
      <div className={styles.skeletonBand} />
      <div className={styles.skeletonHead} />
      {Array.from({ length: rows - 1 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks without identity
        <div className={styles.skeletonRow} key={index}>
          <Skeleton width={24} height={20} />
          <Skeleton width={150} height={18} />
          <Skeleton width={96} height={20} />
        </div>
      ))}
    </Loading>
  )
}

/** The board failed to load (FAIL-8: only logged), with a button to try again. */
export function NothingLoaded({ onUpdate }: { onUpdate: () => void }) {
  return (
    <EmptyState
      title="Nothing loaded"
      line="We couldn’t load the ranking. Check your connection and try again."
      action={<Button onClick={() => onUpdate()}>Update</Button>}
    />
  )
}

/** The text for an empty board, or for filters without a match. */
export function NobodyRanked({ empty, allPath }: { empty: boolean; allPath: string }) {
  if (empty) return <EmptyState title={EMPTY.emptyText} line="This board is empty. Play a round and be the first." />
  return (
    <EmptyState
      title={EMPTY.emptyText}
      line="No character of this school and class is in the top 100."
      action={<ButtonLink to={allPath}>Show all</ButtonLink>}
    />
  )
}
