import { useParams } from 'react-router'
import { getClub } from '#contract/clubs.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { BOARD_NAMES, findClassByCode, findSchool } from '#contract/game.ts'
import { formatManilaDate, formatManilaMinute } from '#contract/manila.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { readId } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import schools from '#web/art/schools.module.css'
import { getLeaguePath } from '#web/paths.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'
import text from '#web/ui/text.module.css'
import { Count, Value } from '#web/ui/value.tsx'
import { formatDay } from '../news/relative-time.ts'
import { ClubCrest } from './club-crest.tsx'
import styles from './club-page.module.css'
import { ClassMark, SchoolMark } from './marks.tsx'
import { getCharacterPath, getClubPath, getRankingBoardPath } from './rankings-view.ts'

type Club = CallOutput<typeof getClub>

/** A club's page: its battles, its leader, its areas and its members (CLUB-2). */
export default function ClubPage() {
  const { data: club } = useCall(getClub, { club: String(readId(useParams().number)) })
  if (club === undefined) return null
  return (
    <>
      <PageHead
        parents={[['/rankings/club', 'Clubs']]}
        crumb={club.GuName}
        title={club.GuName}
        actions={<ShareButton name={club.GuName} />}
      />
      <div className={layout.panels}>
        <Hero club={club} />
        {club.alliance.length > 0 && <Alliance club={club} />}
        {club.areas.length > 0 && <Areas areas={club.areas} />}
        {club.held.length > 0 && <HeldAreas held={club.held} />}
        {club.leagues.length > 0 && <Leagues leagues={club.leagues} />}
        <MemberTable club={club} />
      </div>
    </>
  )
}

function Hero({ club }: { club: Club }) {
  const { school, leader, founded_at, members, rank, wins, losses, draws } = club
  const { day, title } = formatDay(founded_at)
  const battles = [
    ['Wins', wins],
    ['Draws', draws],
    ['Losses', losses],
  ] as const
  return (
    <div className={`${styles.hero} ${schools.colors}`} data-school={findSchool(school)?.key}>
      <ClubCrest club={club} size={168} />
      <div className={styles.text}>
        <dl className={styles.battles}>
          {battles.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Value>{formatCount(value)}</Value>
              </dd>
            </div>
          ))}
        </dl>
        <p className={styles.facts}>
          {rank !== null && (
            <span>
              Place <Link to="/rankings/club">{rank} among the clubs</Link>
            </span>
          )}
          {leader !== null && (
            <span>
              Led by <Link to={getCharacterPath(leader.ChaNum)}>{leader.ChaName}</Link>
            </span>
          )}
          <Count of={members} unit="member" />
          {founded_at !== null && title !== undefined && (
            <span>
              Founded{' '}
              <Value dateTime={founded_at} title={title}>
                {day}
              </Value>
            </span>
          )}
        </p>
      </div>
    </div>
  )
}

/** The clubs of the alliance, this one among them, the leader first (CLUB-6). */
function Alliance({ club: { GuNum, alliance } }: { club: Club }) {
  return (
    <Panel title="Alliance">
      <ul className={styles.areas}>
        {alliance.map((ally) => (
          <li key={ally.GuNum} className={schools.colors} data-school={findSchool(ally.school)?.key}>
            <ClubCrest club={ally} size={60} />
            <strong className={text.breaks}>
              {ally.GuNum === GuNum ? ally.GuName : <Link to={getClubPath(ally.GuNum)}>{ally.GuName}</Link>}{' '}
              {ally.leads && <span className={text.flag}>Leader</span>}
            </strong>
            <SchoolMark school={findSchool(ally.school)} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Areas({ areas }: { areas: Club['areas'] }) {
  return (
    <Panel title="Areas held">
      <ul className={styles.areas}>
        {areas.map(({ id, name, tax_percent, img_url }) => (
          <li key={id}>
            {img_url !== null && <img src={img_url} alt="" width="72" height="72" loading="lazy" />}
            <strong>{name}</strong>
            <span>{tax_percent}% tax</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function HeldAreas({ held }: { held: Club['held'] }) {
  const renderMoment = (moment: string) => <Value dateTime={moment}>{formatManilaMinute(Date.parse(moment))}</Value>
  return (
    <Panel
      title="Wars"
      actions={
        <ButtonLink to="/wars" tone="quiet">
          All wars
        </ButtonLink>
      }
    >
      <ul className={styles.history}>
        {held.map(({ name, since, until }) => (
          <li key={`${name} ${since}`}>
            <strong>{name}</strong>
            <span>
              {renderMoment(since)} {until === null ? 'until now' : <>to {renderMoment(until)}</>}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The ranks in final leagues. A won league is a badge, like a character's titles. */
function Leagues({ leagues }: { leagues: Club['leagues'] }) {
  return (
    <Panel title="Leagues">
      <ul className={styles.history}>
        {leagues.map(({ league, name, place, points, final_at }) => (
          <li key={league}>
            <strong>
              <Link to={getLeaguePath(league)}>{name}</Link> {place === 1 && <span className={text.flag}>Winner</span>}
            </strong>
            <span>
              Place <Value>{place}</Value> with <Value>{formatPlural(points, 'point')}</Value>,{' '}
              <Value dateTime={final_at}>{formatManilaDate(Date.parse(final_at))}</Value>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function MemberTable({ club: { roll, leader, members } }: { club: Club }) {
  return (
    <Panel title="Members">
      <table className={styles.roll}>
        <caption className="visually-hidden">The members of the club, the highest level first</caption>
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">Character</th>
            <th scope="col">Class</th>
            <th scope="col">School</th>
            <th scope="col">Best this month</th>
          </tr>
        </thead>
        <tbody>
          {roll.map(({ ChaNum, ChaName, ChaLevel, ChaClass, ChaSchool, best }) => (
            <tr key={ChaNum}>
              <td>
                <Value>{ChaLevel}</Value>
              </td>
              <th scope="row">
                <Link className={styles.member} to={getCharacterPath(ChaNum)}>
                  {ChaName}
                </Link>
                {leader?.ChaNum === ChaNum && <span className={`${text.flag} ${styles.leader}`}>Leader</span>}
              </th>
              <td>
                <ClassMark name={findClassByCode(ChaClass)} />
              </td>
              <td>
                <SchoolMark school={findSchool(ChaSchool)} />
              </td>
              <td>
                {best === null ? (
                  <span className={text.faint}>–</span>
                ) : (
                  <Link to={getRankingBoardPath('/rankings', { board: best.board, school: null, cls: null })}>
                    {/* A single element, because the link lays its children out as flex items and drops the spaces
                        between them. */}
                    <span>
                      <Value>{`#${formatCount(best.rank)}`}</Value> {BOARD_NAMES[best.board]}
                    </span>
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {members > roll.length && (
        <p className={styles.more}>
          The first <Value>{formatCount(roll.length)}</Value> are listed.
        </p>
      )}
    </Panel>
  )
}
