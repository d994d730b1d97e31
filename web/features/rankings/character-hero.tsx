import { formatRank } from '#contract/characters.ts'
import { findClassByCode, findSchool } from '#contract/game.ts'
import { formatMonth } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import schools from '#web/art/schools.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Value } from '#web/ui/value.tsx'
import { formatDay } from '../news/relative-time.ts'
import styles from './character-hero.module.css'
import type { Character } from './character-view.ts'
import { ClassMark, SchoolMark } from './marks.tsx'
import { getClubPath, getRankingBoardPath } from './rankings-view.ts'

/** The head of a character's page: the class poster, class, school, level and club. */
export function CharacterHero({ character }: { character: Character }) {
  const { ChaLevel, ChaClass, ChaSchool, ChaLevelUpDate, poster, club, online } = character
  const school = findSchool(ChaSchool)
  const cls = findClassByCode(ChaClass)
  const { day, title } = formatDay(ChaLevelUpDate)
  return (
    <div className={`${styles.hero} ${schools.colors}`} data-school={school?.key}>
      <div className={styles.poster}>
        {poster !== null ? (
          <img src={poster.picture} alt="" width="400" height="500" decoding="async" />
        ) : (
          cls !== undefined && <Emblem name={cls} size={120} isOn />
        )}
      </div>
      <div className={styles.text}>
        <div className={styles.marks}>
          <ClassMark name={cls} />
          <SchoolMark school={school} />
          {online === true && <span className={styles.online}>Online now</span>}
        </div>
        <p className={styles.level}>
          <span>Level</span> <strong>{ChaLevel}</strong>
          {ChaLevelUpDate !== null && title !== undefined && (
            <span className={styles.since}>
              since{' '}
              <Value dateTime={ChaLevelUpDate} title={title}>
                {day}
              </Value>
            </span>
          )}
        </p>
        {club !== null && (
          <p className={styles.club}>
            {club.leads ? 'Leads' : 'Member of'} <Link to={getClubPath(club.GuNum)}>{club.GuName}</Link>
          </p>
        )}
      </div>
      {school && (
        <span className={styles.largeCrest}>
          <Crest school={school.code} size={260} />
        </span>
      )}
    </div>
  )
}

/** A panel with the best ranks of the month and the badges; nothing if there are neither. */
export function BestPlaces({ character }: { character: Character }) {
  const badges = listBadges(character)
  if (character.ranks.length === 0 && badges.length === 0) return null
  return (
    <Panel title="Best places">
      <div className={styles.best}>
        <Ranks character={character} />
        {badges.length > 0 && <Badges badges={badges} />}
      </div>
    </Panel>
  )
}

/** The best ranks of the month within each group of characters, linked to the board. */
function Ranks({ character: { ranks, ChaClass, ChaSchool } }: { character: Character }) {
  const cls = findClassByCode(ChaClass) ?? null
  const school = findSchool(ChaSchool)
  if (ranks.length === 0) return null
  return (
    <ul className={styles.ranks} aria-label="Best places this month">
      {ranks.map(({ board, of, rank }) => {
        const choice = {
          board,
          school: of === 'school' ? (school?.code ?? null) : null,
          cls: of === 'class' ? cls : null,
        }
        return (
          <li key={`${board} ${of}`}>
            <Link to={getRankingBoardPath('/rankings', choice)}>
              <b>
                <Value>{`#${formatCount(rank)}`}</Value>
              </b>
              <span>{formatRank({ board, of }, { ChaClass, ChaSchool })}</span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** The lowest rank that earns a badge. */
const BADGE_RANK = 10
const BADGES_SHOWN = 6

type Badge = { key: string; rank: number; name: string }

/** Returns the badges: won tournaments, and months and seasons with a rank among the first ten. */
function listBadges({ tournaments, seasons, months }: Character): Badge[] {
  const wonTournaments = tournaments.filter(({ state, place }) => state === 'finalised' && place === 1)
  const findBestRank = (places: readonly { rank: number | null }[]) =>
    Math.min(...places.map(({ rank }) => rank ?? Number.POSITIVE_INFINITY))
  return [
    ...wonTournaments.map(({ tournament, name }) => ({ key: `t${tournament}`, rank: 1, name })),
    ...seasons
      .filter(({ state }) => state === 'final')
      .map(({ season, name, places }) => ({ key: `s${season}`, rank: findBestRank(places), name })),
    ...months
      .filter(({ open }) => !open)
      .map(({ period, places }) => ({ key: period, rank: findBestRank(places), name: formatMonth(period) })),
  ].filter(({ rank }) => rank <= BADGE_RANK)
}

/** A strip of badges. */
function Badges({ badges }: { badges: readonly Badge[] }) {
  return (
    <ul className={styles.badges} aria-label="Won">
      {badges.slice(0, BADGES_SHOWN).map(({ key, rank, name }) => (
        <li key={key} data-first={rank === 1 || undefined}>
          <b>
            <span className="visually-hidden">Place </span>
            {rank}
          </b>
          {name}
        </li>
      ))}
    </ul>
  )
}
