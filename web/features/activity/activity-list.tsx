import type { ReactNode } from 'react'
import type { listActivity } from '#contract/activity.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { type Board, CLASS_NAMES, findClassByCode, findSchool, formatClass } from '#contract/game.ts'
import { formatManilaDate, formatManilaMinute, formatMonth, getStartOfDay } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { Emblem } from '#web/art/emblem.tsx'
import schools from '#web/art/schools.module.css'
import { getEventPath, getLeaguePath, getTournamentPath } from '#web/paths.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Value } from '#web/ui/value.tsx'
import { getNewsTopicPath } from '../news/news-view.ts'
import { getCharacterPath, getClubPath, getRankingPath } from '../rankings/rankings-view.ts'
import styles from './activity.module.css'

export type ActivityRow = CallOutput<typeof listActivity>['data'][number]
type RowOfKind<Kind extends ActivityRow['kind']> = Extract<ActivityRow, { kind: Kind }>
type Club = RowOfKind<'club'>['club']

const UNITS: Partial<Record<Board, string>> = { resu: 'Resu', mmr: 'MMR', killer: 'kills' }

/** Lists the activity, newest first. */
export function ActivityList({ rows }: { rows: readonly ActivityRow[] }) {
  return (
    <ul className={layout.rows}>
      {rows.map((row) => (
        <li key={row.activity} className={styles.row}>
          <ActivityMark row={row} />
          <p className={styles.text}>{describeActivity(row)}</p>
          <span className={styles.time}>
            <Value dateTime={row.at ?? row.day}>
              {row.at === null ? formatManilaDate(getStartOfDay(row.day)) : formatManilaMinute(Date.parse(row.at))}
            </Value>
          </span>
        </li>
      ))}
    </ul>
  )
}

function describeActivity(row: ActivityRow): ReactNode {
  switch (row.kind) {
    case 'level':
      return (
        <>
          <Character row={row} /> reached level <Value>{row.level}</Value>
        </>
      )
    case 'first':
      return (
        <>
          <Character row={row} /> is the first {getClassLabel(row.class)} at level <Value>{row.level}</Value>
        </>
      )
    case 'record':
      return (
        <>
          <Character row={row} /> broke the record of a month:{' '}
          <Link to={getRankingPath({ board: row.board, period: null, school: null, cls: null })}>
            <Value>{formatCount(row.value)}</Value> {UNITS[row.board]} in {formatMonth(row.period)}
          </Link>
        </>
      )
    case 'area':
      return (
        <>
          <ClubName club={row.club} /> took <Link to="/wars">{row.area}</Link>
        </>
      )
    case 'tournament':
      return (
        <>
          {row.club !== null && `${row.club}, led by `}
          <Character row={row} />
          {row.club !== null && ','} won <Link to={getTournamentPath(row.tournament)}>{row.name}</Link>
        </>
      )
    case 'league':
      return row.club === null ? (
        <>
          The league <Link to={getLeaguePath(row.league)}>{row.name}</Link> is final
        </>
      ) : (
        <>
          <ClubName club={row.club} /> won the league <Link to={getLeaguePath(row.league)}>{row.name}</Link>
        </>
      )
    case 'club':
      return (
        <>
          The club <ClubName club={row.club} /> was founded
        </>
      )
    case 'news':
      return (
        <>
          News: <Link to={getNewsTopicPath(row.news)}>{row.subject}</Link>
        </>
      )
    case 'event':
      return (
        <>
          Event: <Link to={getEventPath(row.event)}>{row.title}</Link>
        </>
      )
  }
}

/** Returns the name of a class; 'character' for an unknown class. */
const getClassLabel = (name: string) => {
  const cls = CLASS_NAMES.find((className) => className === name)
  return cls === undefined ? 'character' : formatClass(cls)
}

function Character({ row: { character } }: { row: RowOfKind<'level' | 'first' | 'record' | 'tournament'> }) {
  return <Link to={getCharacterPath(character.ChaNum)}>{character.ChaName}</Link>
}

const ClubName = ({ club: { GuName, GuNum } }: { club: Club }) =>
  GuNum === null ? <strong>{GuName}</strong> : <Link to={getClubPath(GuNum)}>{GuName}</Link>

const DRAWINGS: Partial<Record<ActivityRow['kind'], string>> = {
  record: 'M4 28V16h7v12Zm9 0V4h7v24Zm9 0V11h6v17Z',
  area: 'M6 3h3v27H6Zm4 1h17l-4 6 4 6H10Z',
  tournament: 'M8 3h16v3h5c0 7-2 10-7 11-1 2-2 3-4 4v4h5v4H9v-4h5v-4c-2-1-3-2-4-4-5-1-7-4-7-11h5Z',
  league: 'M8 3h16v3h5c0 7-2 10-7 11-1 2-2 3-4 4v4h5v4H9v-4h5v-4c-2-1-3-2-4-4-5-1-7-4-7-11h5Z',
  club: 'M4 3h24v14c0 7-6 10-12 13C10 27 4 24 4 17Z',
  news: 'M3 5h26v22H3Zm4 4v5h8V9Zm11 0v2h7V9Zm0 3v2h7v-2ZM7 17v2h18v-2Zm0 4v2h18v-2Z',
  event: 'M4 6h5V2h4v4h6V2h4v4h5v23H4Zm3 7v13h18V13Z',
}

/** The class emblem of a character in its school's colors, or a drawing of the kind of activity. */
function ActivityMark({ row }: { row: ActivityRow }) {
  const character = row.kind === 'level' || row.kind === 'first' ? row.character : null
  const cls = character === null ? undefined : findClassByCode(character.ChaClass)
  return (
    <span
      className={`${styles.mark} ${schools.colors}`}
      data-kind={row.kind}
      data-school={character === null ? undefined : findSchool(character.ChaSchool)?.key}
    >
      {cls === undefined ? (
        <svg width="28" height="28" viewBox="0 0 32 32" fill="currentColor" fillRule="evenodd" aria-hidden="true">
          <path d={DRAWINGS[row.kind] ?? 'M16 4 28 16 16 28 4 16Z'} />
        </svg>
      ) : (
        <Emblem name={cls} size={30} isOn />
      )}
    </span>
  )
}
