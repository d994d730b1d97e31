import { getClubRanking } from '#contract/clubs.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { findSchool } from '#contract/game.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import schools from '#web/art/schools.module.css'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import { Value } from '#web/ui/value.tsx'
import { RankingSpans } from './board-parts.tsx'
import { ClubCrest } from './club-crest.tsx'
import styles from './clubs-page.module.css'
import { getClubPath } from './rankings-view.ts'

type Club = CallOutput<typeof getClubRanking>['data'][number]

/** The ranking of the clubs (CLUB-3). */
export default function ClubsPage() {
  const { data, isFetching, refetch } = useCall(getClubRanking, {})
  const clubs = data?.data
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.rankings]}
        crumb="Clubs"
        title="Clubs"
        lines={['The clubs with the most wins in club battles, as the game counts them.']}
      />
      <div>
        <RankingSpans current="/rankings/club" />
        <Panel>
          {clubs === undefined && isFetching && <ClubsSkeleton />}
          {clubs === undefined && !isFetching && (
            <EmptyState
              title="Nothing loaded"
              line="We couldn’t load the clubs. Check your connection and try again."
              action={<Button onClick={() => void refetch()}>Update</Button>}
            />
          )}
          {clubs?.length === 0 && (
            <EmptyState
              title="No clubs yet"
              line="Clubs appear here after the game has reported them."
              action={<ButtonLink to="/rankings">Overall rankings</ButtonLink>}
            />
          )}
          {clubs !== undefined && clubs.length > 0 && <ClubTable clubs={clubs} />}
        </Panel>
      </div>
    </>
  )
}

function ClubTable({ clubs }: { clubs: readonly Club[] }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Clubs by their wins</caption>
      <thead>
        <tr>
          <th scope="col">
            <abbr title="Place">#</abbr>
          </th>
          <th scope="col">Club</th>
          {['Won', 'Drawn', 'Lost'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {clubs.map((club, index) => (
          <tr key={club.GuNum} className={schools.colors} data-school={findSchool(club.school)?.key}>
            <td className={styles.rank}>{index + 1}</td>
            <th scope="row">
              <span className={styles.club}>
                <ClubCrest club={club} size={48} />
                <span>
                  <Link className={styles.name} to={getClubPath(club.GuNum)}>
                    {club.GuName}
                  </Link>
                  <span className={styles.about}>{describeClub(club)}</span>
                </span>
              </span>
            </th>
            <td className={styles.wins}>
              <Value>{formatCount(club.wins)}</Value>
            </td>
            <td>
              <Value>{formatCount(club.draws)}</Value>
            </td>
            <td>
              <Value>{formatCount(club.losses)}</Value>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function describeClub({ members, leader, areas }: Club): string {
  const leaderTexts = leader === null ? [] : [`led by ${leader.ChaName}`]
  const areaTexts = areas.length === 0 ? [] : [`holds ${areas.join(', ')}`]
  return [formatPlural(members, 'member'), ...leaderTexts, ...areaTexts].join(' · ')
}

function ClubsSkeleton() {
  return (
    <div role="status" className={`${layout.stack} ${layout.padded}`}>
      <span className="visually-hidden">Loading</span>
      {[70, 55, 62, 48, 58].map((width) => (
        <Skeleton key={width} width={`${width}%`} height={48} />
      ))}
    </div>
  )
}
