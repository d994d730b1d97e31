import type { Standing } from '#contract/leagues.ts'
import { formatCount } from '#contract/numbers.ts'
import { EmptyState } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { Value } from '#web/ui/value.tsx'
import { ClubName, Shield } from './club-parts.tsx'
import styles from './wars.module.css'

/** The table of a league, best club first. */
export function LeagueTable({ rows, name }: { rows: readonly Standing[]; name: string }) {
  if (rows.length === 0)
    return <EmptyState title="No points yet" line="Clubs appear here after the first war that counts." />
  return (
    <table className={`${styles.table} ${styles.league}`}>
      <caption className="visually-hidden">The clubs of {name} by their points</caption>
      <thead>
        <tr>
          <th scope="col">
            <abbr title="Place">#</abbr>
          </th>
          <th scope="col">Club</th>
          <th scope="col" title="Wars in which the club scored">
            Wars
          </th>
          <th scope="col" title="Wars in which no club scored more">
            Won
          </th>
          <th scope="col">Points</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.club} data-first={row.rank === 1 || undefined}>
            <td className={`${text.quiet} ${text.size20}`}>
              <Value>{row.rank}</Value>
            </td>
            <th scope="row">
              <span className={styles.holder}>
                <Shield club={row} size={36} />
                <span>
                  <ClubName club={row} />
                  {row.adjusted !== 0 && (
                    <span className={styles.details}>
                      <Value>{formatSigned(row.adjusted)}</Value> {row.adjusted > 0 ? 'bonus' : 'penalty'}
                    </span>
                  )}
                </span>
              </span>
            </th>
            <td>
              <Value>{row.wars}</Value>
            </td>
            <td>
              <Value>{row.won}</Value>
            </td>
            <td className={styles.points}>
              <Value>{formatCount(row.points)}</Value>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Formats points with a sign: '+3', '−4'. */
export const formatSigned = (points: number) => `${points > 0 ? '+' : '−'}${formatCount(Math.abs(points))}`
