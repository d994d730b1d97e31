import type { ReactNode } from 'react'
import { type CharacterTitle, formatTitle } from '#contract/characters.ts'
import { CLASS_NAMES, formatClass } from '#contract/game.ts'
import { formatManilaDate } from '#contract/manila.ts'
import { getLeaguePath, getTournamentPath } from '#web/paths.ts'
import { Link } from '#web/ui/link.tsx'
import { Value } from '#web/ui/value.tsx'
import { getRankingPath } from './rankings-view.ts'
import { getSeasonPath } from './span-view.ts'
import styles from './title-row.module.css'

const NO_FILTERS = { school: null, cls: null }

/** Returns the address of the page that shows how a title was won. */
function getTitlePath({ kind, name, period, board, id }: CharacterTitle): string {
  if (kind === 'first') {
    const cls = CLASS_NAMES.find((className) => formatClass(className) === name) ?? null
    return getRankingPath({ board: 'level', period: null, school: null, cls })
  }
  if (kind === 'tournament' && id !== null) return getTournamentPath(id)
  if (kind === 'league' && id !== null) return getLeaguePath(id)
  if (kind === 'season') return getSeasonPath({ board: board ?? 'level', ...NO_FILTERS, season: id })
  return getRankingPath({ board: board ?? 'level', period, ...NO_FILTERS })
}

/** A title as a badge with its date. `children` names the holder if the page does not. */
export function TitleRow({ title, children }: { title: CharacterTitle; children?: ReactNode }) {
  const { kind, won_at } = title
  return (
    <li className={styles.title}>
      <svg className={styles.badge} viewBox="0 0 32 32" aria-hidden="true" data-kind={kind}>
        <path d="M4 3h24v14c0 7-6 10-12 13C10 27 4 24 4 17Z" />
        <path className={styles.star} d="m16 8 2.4 5 5.4.6-4 3.7 1.1 5.4-4.9-2.8-4.9 2.8 1.1-5.4-4-3.7 5.4-.6Z" />
      </svg>
      <span className={styles.name}>
        <Link to={getTitlePath(title)}>{formatTitle(title)}</Link>
      </span>
      {children !== undefined && <span className={styles.holder}>{children}</span>}
      <span className={styles.date}>
        <Value dateTime={won_at}>{formatManilaDate(new Date(won_at))}</Value>
      </span>
    </li>
  )
}
