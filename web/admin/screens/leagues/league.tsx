import { useParams } from 'react-router'
import {
  adjustFields,
  adjustLeague,
  announceLeague,
  cancelLeague,
  finaliseLeague,
  getDeskLeague,
  getLeaguePrizes,
  withdrawLeaguePrize,
} from '#contract/desk-leagues.ts'
import { formatManilaEnd, formatManilaStart } from '#contract/manila.ts'
import { formatPlural } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { formatSigned, LeagueTable } from '#web/features/wars/league-table.tsx'
import { describePoints } from '#web/features/wars/league-view.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import { PlayerLink, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { PostButton } from '../../kit/post-button.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { createWithdrawalProps, PRIZE_STATES } from '../../kit/sent-prizes.ts'
import { useMay } from '../../me.ts'
import { LeagueForm } from './league-form.tsx'
import styles from './leagues.module.css'
import { LeagueBadge } from './leagues.tsx'
import { type League, WarsTab } from './wars.tsx'

const BACK_LINK = { to: '/admin/leagues', label: 'Leagues' }

/** The page of a league: a new, planned, running or finished one. */
export function Screen() {
  const { number = '' } = useParams()
  const isNew = number === 'new'
  const leagueQuery = useCall(getDeskLeague, { league: number }, { enabled: !isNew })
  if (isNew)
    return (
      <RecordPage back={BACK_LINK} title="Plan a league">
        <LeagueForm league={null} />
      </RecordPage>
    )
  return (
    <Loaded result={leagueQuery} height={640}>
      {(league) => <LeaguePage key={number} league={league} />}
    </Loaded>
  )
}

function LeaguePage({ league }: { league: League }) {
  const { state, name, starts_at, ends_at, next_at } = league
  const tabs = [
    ...(state === 'draft'
      ? []
      : [
          { key: 'wars', label: 'Wars', content: <WarsTab league={league} /> },
          { key: 'table', label: 'Table', content: <TableTab league={league} /> },
          ...(league.prizes.length === 0
            ? []
            : [{ key: 'prizes', label: 'Prizes', content: <PrizesTab league={league} /> }]),
        ]),
    ...(state === 'draft' || state === 'announced'
      ? [
          {
            key: 'announcement',
            label: 'Announcement',
            content: <LeagueForm key={league.version} league={league} />,
          },
        ]
      : []),
  ]
  return (
    <RecordPage
      back={BACK_LINK}
      title={name}
      badges={<LeagueBadge phase={league.phase} />}
      actions={<LeagueActions league={league} />}
      facts={{
        'What counts': describePoints(league),
        From: <time dateTime={starts_at}>{formatManilaStart(Date.parse(starts_at))}</time>,
        To: <time dateTime={ends_at}>{formatManilaEnd(Date.parse(ends_at))}</time>,
        'Next war': next_at !== null && <When at={next_at} show="both" />,
        'Last change': league.last_change_at !== null && (
          <When at={league.last_change_at} show="both" by={league.last_change_by ?? 'the game'} />
        ),
        'Made final': league.finalised_at !== null && <When at={league.finalised_at} by={league.finalised_by} />,
        'Not final yet': league.phase === 'decided' && league.not_yet,
      }}
      tabs={tabs}
    />
  )
}

function LeagueActions({ league: leagueRecord }: { league: League }) {
  const { league, version, state, phase, name, not_yet, table, prizes } = leagueRecord
  const may = useMay()
  const input = { league, version }
  const isDraft = state === 'draft'
  return (
    <>
      {isDraft && (
        <DeskAction
          endpoint={announceLeague}
          input={input}
          label="Announce it"
          confirmation={{ title: `Announce ${name}?`, text: 'Players see its page from now on.' }}
        />
      )}
      {phase === 'decided' && not_yet === null && may('prizes.pay') && (
        <DeskAction
          endpoint={finaliseLeague}
          input={input}
          label="Make it final"
          confirmation={{
            title: `Make ${name} final?`,
            text: (
              <>
                <p>
                  Its results, bonuses and penalties cannot be changed after that.{' '}
                  {table[0] !== undefined && `${table[0].club} wins. `}
                  {prizes.length > 0 && 'These prizes are sent now:'}
                </p>
                <ul>
                  {prizes.map((prize) => (
                    <li key={prize.place}>{describePrize(prize)}</li>
                  ))}
                </ul>
              </>
            ),
          }}
        />
      )}
      {state === 'finalised' && <PostButton kind="league" page={String(league)} />}
      {!isDraft && (
        <ButtonLink to={`/wars/${league}`} tone="secondary">
          As players see it
        </ButtonLink>
      )}
      {(isDraft || state === 'announced') && (
        <DeskAction
          endpoint={cancelLeague}
          input={input}
          label={isDraft ? 'Delete' : 'Call it off'}
          tone="danger"
          confirmation={{
            title: isDraft ? `Delete ${name}?` : `Call ${name} off?`,
            action: isDraft ? 'Delete it' : 'Call it off',
            text: isDraft ? 'Players haven’t seen it yet.' : 'Its page stays, marked as cancelled, and no club wins.',
            reason: 'required',
            ...(!isDraft && { reasonHint: 'Players read it.' }),
          }}
        />
      )}
    </>
  )
}

/** Formats a prize: 'Place 1: 500 R-Coin, Buwan, 24 players'. */
const describePrize = ({ place, words, club, why_not, players }: League['prizes'][number]) =>
  `Place ${place}: ${words}, ${why_not ?? `${club}, ${formatPlural(players, 'player')}`}`

/** Shows the prizes by rank and how many were claimed, and lists those that were sent. */
function PrizesTab({ league: { league, prizes, state, prizes_to } }: { league: League }) {
  return (
    <div className={layout.panels}>
      <Panel title={prizes_to === 'leader' ? 'Prizes for the leaders' : 'Prizes for each member'}>
        <ul className={`${layout.rows} ${styles.adjustments}`}>
          {prizes.map((prize) => (
            <li key={prize.place}>
              <p>{describePrize(prize)}</p>
              {state === 'finalised' && (
                <p className={text.quiet}>
                  Claimed by {prize.claimed} of {formatPlural(prize.players, 'player')}
                  {prize.withdrawn > 0 && `, withdrawn from ${prize.withdrawn}`}
                </p>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      {state === 'finalised' && (
        <List
          endpoint={getLeaguePrizes}
          label="Prizes that were sent"
          columns={SENT_PRIZES}
          fixedInput={{ league: String(league) }}
          getId={({ prize }) => prize}
          empty={{ title: 'No prize was sent', line: 'The reasons are above, at each place.' }}
        />
      )}
    </div>
  )
}

type SentPrize = RowOf<typeof getLeaguePrizes>

const SENT_PRIZES: Column<SentPrize>[] = [
  {
    key: 'user_id',
    title: 'Player',
    cell: ({ user_num, user_id }) => <PlayerLink userNum={user_num} userId={user_id} />,
  },
  { key: 'club', title: 'Club' },
  { key: 'place', title: 'Place', kind: 'count' },
  { key: 'made_at', title: 'Sent', kind: 'when' },
  { key: 'state', title: 'State', states: PRIZE_STATES },
  { key: 'act', title: '', align: 'end', card: 'end', cell: (row) => <WithdrawPrize prize={row} /> },
]

function WithdrawPrize({ prize: { prize, user_id, state } }: { prize: SentPrize }) {
  const may = useMay()
  return (
    state === 'open' &&
    may('letters.gift') && (
      <DeskAction endpoint={withdrawLeaguePrize} input={{ prize }} {...createWithdrawalProps(user_id)} />
    )
  )
}

type Adjustment = { kind: 'bonus' | 'penalty'; club: string; points: number | null }
const EMPTY_ADJUSTMENT: Adjustment = { kind: 'penalty', club: '', points: null }

/** Shows the table as players see it, including bonuses and penalties. */
function TableTab({ league: leagueRecord }: { league: League }) {
  const { league, version, name, state, table, adjustments } = leagueRecord
  const { reason: _, ...fields } = adjustFields
  return (
    <div className={layout.panels}>
      <Panel title="Table">
        <LeagueTable rows={table} name={name} />
      </Panel>
      {state === 'announced' && (
        <div>
          <DeskAction
            endpoint={adjustLeague}
            input={(adjustmentValues: Adjustment & { reason: string }) => ({
              league,
              version,
              ...adjustmentValues,
              points: adjustmentValues.points ?? 0,
            })}
            label="Give a bonus or a penalty"
            tone="secondary"
            confirmation={{
              title: `A bonus or a penalty in ${name}`,
              action: 'Give it',
              fields: {
                ...fields,
                club: {
                  ...fields.club,
                  ...(table.length > 0 && {
                    kind: 'choice',
                    options: table.map(({ club }) => [club ?? '', club ?? ''] as const),
                  }),
                },
                points: { ...fields.points, kind: 'number' },
              },
              values: EMPTY_ADJUSTMENT,
              reason: 'required',
              reasonHint: 'Players read it.',
            }}
          />
        </div>
      )}
      {adjustments.length > 0 && (
        <Panel title="Bonuses and penalties">
          <ul className={`${layout.rows} ${styles.adjustments}`}>
            {adjustments.map(({ adjustment, club, points, reason, made_at, made_by }) => (
              <li key={adjustment}>
                <p>
                  <strong>{club}</strong> {formatSigned(points)}: {reason}
                </p>
                <p className={text.quiet}>
                  <When at={made_at} by={made_by} />
                </p>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  )
}
