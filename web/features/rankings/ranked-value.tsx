import type { BoardRow, Column } from './columns.ts'
import { formatCount, formatDay } from './format.ts'

type Props = { column: Column; row: BoardRow; className: string | undefined }

/** A cell with a number of a row or the day of its last level. Styles show its head again where the heads are far or hidden. */
export function RankedValue({ column: { head, field }, row, className }: Props) {
  if (field !== 'ChaLevelUpDate') {
    return (
      <td className={className} data-head={head}>
        {formatCount(row[field] ?? 0)}
      </td>
    )
  }
  const { day, title } = formatDay(row.ChaLevelUpDate)
  return (
    <td className={className} data-head={head} data-day={title ? 'known' : 'none'}>
      {row.ChaLevelUpDate && title ? (
        <time dateTime={row.ChaLevelUpDate} title={title}>
          {day}
        </time>
      ) : (
        day
      )}
    </td>
  )
}
