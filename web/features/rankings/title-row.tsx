import type { ReactNode } from 'react'
import type { CharacterTitle } from '#contract/characters.ts'
import { BOARD_NAMES } from '#contract/game.ts'
import { manilaDate } from '#contract/manila.ts'
import { Link } from '#web/ui/link.tsx'
import { Value } from '#web/ui/value.tsx'
import { rankingPath } from './rankings-view.ts'
import { seasonPath } from './span-view.ts'
import styles from './title-row.module.css'

const EVERYBODY = { school: null, cls: null }

/** The page that shows how a title was won. */
function findPath({ kind, period, board, id }: CharacterTitle): string {
  if (kind === 'tournament') return `/rankings/tournament/${id}`
  if (kind === 'season') return seasonPath({ board: board ?? 'level', ...EVERYBODY, season: id })
  return rankingPath({ board: board ?? 'level', period, ...EVERYBODY })
}

/** A title as a badge with its date; `children` names its holder where the page does not. */
export function TitleRow({ title, children }: { title: CharacterTitle; children?: ReactNode }) {
  const { kind, name, board, won_at } = title
  return (
    <li className={styles.title}>
      <svg className={styles.badge} viewBox="0 0 32 32" aria-hidden="true" data-kind={kind}>
        <path d="M4 3h24v14c0 7-6 10-12 13C10 27 4 24 4 17Z" />
        <path className={styles.star} d="m16 8 2.4 5 5.4.6-4 3.7 1.1 5.4-4.9-2.8-4.9 2.8 1.1-5.4-4-3.7 5.4-.6Z" />
      </svg>
      <span className={styles.name}>
        <Link to={findPath(title)}>
          {board === null ? `Winner of ${name}` : `First on ${BOARD_NAMES[board]}, ${name}`}
        </Link>
      </span>
      {children !== undefined && <span className={styles.holder}>{children}</span>}
      <span className={styles.date}>
        <Value dateTime={won_at}>{manilaDate(new Date(won_at))}</Value>
      </span>
    </li>
  )
}
