import { findSchool } from '#contract/game.ts'
import type { Standing } from '#contract/leagues.ts'
import { formatManilaEnd, formatManilaStart } from '#contract/manila.ts'
import schools from '#web/art/schools.module.css'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import { Value } from '#web/ui/value.tsx'
import { ClubCrest } from '../rankings/club-crest.tsx'
import { getClubPath } from '../rankings/rankings-view.ts'
import styles from './wars.module.css'

type Club = Pick<Standing, 'club' | 'GuNum' | 'school' | 'mark'>

/** A club's name, with a link to its page if it has one. */
export function ClubName({ club: { club, GuNum } }: { club: Pick<Club, 'club' | 'GuNum'> }) {
  if (club === null) return <span className={text.faint}>No club</span>
  return GuNum === null ? (
    <span className={styles.name}>{club}</span>
  ) : (
    <Link className={styles.name} to={getClubPath(GuNum)}>
      {club}
    </Link>
  )
}

/** A club's shield in the colors of its school. A club without a page gets an empty space. */
export function Shield({ club: { club, GuNum, school, mark }, size = 48 }: { club: Club; size?: number }) {
  return (
    <span className={`${styles.shield} ${schools.colors}`} data-school={findSchool(school ?? -1)?.key}>
      {club !== null && GuNum !== null && <ClubCrest club={{ GuNum, GuName: club, mark }} size={size} />}
    </span>
  )
}

/** The first day of a league, with the time unless it is midnight. */
export const LeagueStart = ({ at }: { at: string }) => <Value dateTime={at}>{formatManilaStart(Date.parse(at))}</Value>
/** The last day of a league, with the time unless it is midnight. */
export const LeagueEnd = ({ at }: { at: string }) => <Value dateTime={at}>{formatManilaEnd(Date.parse(at))}</Value>
