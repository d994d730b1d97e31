import { useParams } from 'react-router'
import {
  announceTournament,
  cancelTournament,
  finaliseTournament,
  getDeskTournament,
} from '#contract/desk-tournaments.ts'
import { TOURNAMENT_FORMATS } from '#contract/tournaments.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { When } from '../../kit/facts.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { EntriesTab } from './entries.tsx'
import { MatchesTab } from './matches.tsx'
import type { Tournament } from './names.ts'
import { PrizesTab } from './prizes.tsx'
import { TournamentForm } from './tournament-form.tsx'
import { PhaseBadge } from './tournaments.tsx'

const BACK_LINK = { to: '/admin/tournaments', label: 'Tournaments' }

/** The page of a tournament: a new, planned, running or finished one. */
export function Screen() {
  const { number = '' } = useParams()
  const isNew = number === 'new'
  const tournamentQuery = useCall(getDeskTournament, { tournament: number }, { enabled: !isNew })
  if (isNew)
    return (
      <RecordPage back={BACK_LINK} title="Plan a tournament">
        <TournamentForm tournament={null} />
      </RecordPage>
    )
  return (
    <Loaded result={tournamentQuery} height={640}>
      {(tournament) => <TournamentPage key={number} tournament={tournament} />}
    </Loaded>
  )
}

function TournamentPage({ tournament }: { tournament: Tournament }) {
  const { state, name, format, kind, entries, max_entries, list, starts_at, checkin_until } = tournament
  const isDrawn = tournament.matches.length > 0
  const tabs = [
    ...(isDrawn ? [{ key: 'matches', label: 'Matches', content: <MatchesTab tournament={tournament} /> }] : []),
    ...(state === 'draft'
      ? []
      : [{ key: 'entries', label: 'Entries', content: <EntriesTab tournament={tournament} /> }]),
    ...(isDrawn ? [{ key: 'prizes', label: 'Places and prizes', content: <PrizesTab tournament={tournament} /> }] : []),
    ...(state === 'cancelled'
      ? []
      : [
          {
            key: 'announcement',
            label: 'Announcement',
            content: <TournamentForm key={tournament.version} tournament={tournament} />,
          },
        ]),
  ]
  return (
    <RecordPage
      back={BACK_LINK}
      title={name}
      badges={<PhaseBadge phase={tournament.phase} />}
      actions={<TournamentActions tournament={tournament} />}
      facts={{
        Format: `${TOURNAMENT_FORMATS[format]}, ${kind}`,
        Entries: `${entries} of ${max_entries}, ${list.filter(({ checked_in }) => checked_in).length} checked in`,
        'Check-in ends': !isDrawn && <When at={checkin_until} show="both" />,
        'First match': <When at={starts_at} show="both" />,
        'Last result': tournament.last_result_at !== null && (
          <When at={tournament.last_result_at} show="both" by={tournament.last_result_by} />
        ),
        'Made final': tournament.finalised_at !== null && (
          <When at={tournament.finalised_at} by={tournament.finalised_by} />
        ),
        'Not final yet': tournament.phase === 'decided' && tournament.not_yet,
      }}
      tabs={tabs}
    />
  )
}

function TournamentActions({ tournament: tournamentRecord }: { tournament: Tournament }) {
  const { tournament, version, state, phase, name, not_yet, holders } = tournamentRecord
  const may = useMay()
  const input = { tournament, version }
  const isDraft = state === 'draft'
  const payableHolders = holders.filter(({ why_not }) => why_not === null)
  return (
    <>
      {isDraft && (
        <DeskAction
          endpoint={announceTournament}
          input={input}
          label="Announce it"
          confirmation={{
            title: `Announce ${name}?`,
            text: 'Players see it from now on, and can register while registration is open.',
          }}
        />
      )}
      {phase === 'decided' && not_yet === null && may('prizes.pay') && (
        <DeskAction
          endpoint={finaliseTournament}
          input={input}
          label="Make it final"
          confirmation={{
            title: `Make ${name} final?`,
            text: (
              <>
                <p>
                  Results cannot be changed after that.{' '}
                  {payableHolders.length > 0 ? 'These prizes are sent now:' : 'No prize is sent.'}
                </p>
                <ul>
                  {holders.map(({ place, words, entry, why_not }) => (
                    <li key={place}>
                      Place {place}: {words},{' '}
                      {why_not ?? tournamentRecord.list.find((row) => row.entry === entry)?.name}
                    </li>
                  ))}
                </ul>
              </>
            ),
          }}
        />
      )}
      {!isDraft && (
        <ButtonLink to={`/rankings/tournament/${tournament}`} tone="secondary">
          As players see it
        </ButtonLink>
      )}
      {state !== 'finalised' && state !== 'cancelled' && (
        <DeskAction
          endpoint={cancelTournament}
          input={input}
          label={isDraft ? 'Delete' : 'Call it off'}
          tone="danger"
          confirmation={{
            title: isDraft ? `Delete ${name}?` : `Call ${name} off?`,
            action: isDraft ? 'Delete it' : 'Call it off',
            text: isDraft
              ? 'Players haven’t seen it yet.'
              : 'Its page stays, marked as cancelled, and no one wins a prize.',
            reason: 'required',
            ...(!isDraft && { reasonHint: 'Players read it.' }),
          }}
        />
      )}
    </>
  )
}
