import { useState } from 'react'
import { useParams } from 'react-router'
import {
  announceTournament,
  cancelTournament,
  finaliseTournament,
  getDeskTournament,
} from '#contract/desk-tournaments.ts'
import { FORMATS } from '#contract/tournaments.ts'
import { useCall } from '#web/api/queries.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { Fact, Facts, When } from '../../kit/facts.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { Entries } from './entries.tsx'
import { Matches } from './matches.tsx'
import { Prizes } from './prizes.tsx'
import { TournamentForm } from './tournament-form.tsx'
import { PhaseBadge } from './tournaments.tsx'
import type { Tournament } from './words.ts'

const BACK = { to: '/admin/tournaments', label: 'Tournaments' }

/** A tournament: a new one, or one that is planned, running or over. */
export function Screen() {
  const { number = '' } = useParams()
  if (number === 'new')
    return (
      <RecordPage back={BACK} title="Plan a tournament">
        <TournamentForm tournament={null} />
      </RecordPage>
    )
  return <Known number={number} />
}

function Known({ number }: { number: string }) {
  const found = useCall(getDeskTournament, { tournament: number })
  return (
    <Loaded of={found} height={640}>
      {(tournament) => <TournamentPage key={number} tournament={tournament} reload={found.refetch} />}
    </Loaded>
  )
}

type PageProps = { tournament: Tournament; reload: () => Promise<{ data: Tournament | undefined }> }

function TournamentPage({ tournament, reload }: PageProps) {
  const { state, name, format, kind, entries, max_entries, list, starts_at, checkin_until } = tournament
  const isDrawn = tournament.matches.length > 0
  const tabs = [
    ...(isDrawn ? [{ key: 'matches', label: 'Matches', content: <Matches tournament={tournament} /> }] : []),
    ...(state === 'draft' ? [] : [{ key: 'entries', label: 'Entries', content: <Entries tournament={tournament} /> }]),
    ...(isDrawn ? [{ key: 'prizes', label: 'Places and prizes', content: <Prizes tournament={tournament} /> }] : []),
    ...(state === 'cancelled'
      ? []
      : [
          {
            key: 'announcement',
            label: 'Announcement',
            content: <TournamentForm key={tournament.version} tournament={tournament} reload={reload} />,
          },
        ]),
  ]
  return (
    <RecordPage
      back={BACK}
      title={name}
      badges={<PhaseBadge phase={tournament.phase} />}
      actions={<Actions tournament={tournament} />}
      facts={
        <Facts>
          <Fact name="Format">
            {FORMATS[format]}, {kind}
          </Fact>
          <Fact name="Entries">
            {entries} of {max_entries}, {list.filter(({ checked_in }) => checked_in).length} checked in
          </Fact>
          {!isDrawn && (
            <Fact name="Check-in ends">
              <When at={checkin_until} show="both" />
            </Fact>
          )}
          <Fact name="First match">
            <When at={starts_at} show="both" />
          </Fact>
          {tournament.last_result_at !== null && (
            <Fact name="Last result">
              <When at={tournament.last_result_at} show="both" /> by {tournament.last_result_by}
            </Fact>
          )}
          {tournament.finalised_at !== null && (
            <Fact name="Made final">
              <When at={tournament.finalised_at} /> by {tournament.finalised_by}
            </Fact>
          )}
          {tournament.phase === 'decided' && tournament.not_yet !== null && (
            <Fact name="Not final yet">{tournament.not_yet}</Fact>
          )}
        </Facts>
      }
      tabs={tabs}
    />
  )
}

type Asked = 'announce' | 'cancel' | 'finalise' | null

function Actions({ tournament: shown }: { tournament: Tournament }) {
  const { tournament, version, state, phase, name, not_yet, holders } = shown
  const may = useMay()
  const [asked, setAsked] = useState<Asked>(null)
  const dialog = (which: Asked) => ({ open: asked === which, onClose: () => setAsked(null), done: said })
  const sent = holders.filter(({ why_not }) => why_not === null)
  return (
    <>
      {state === 'draft' && <Button onClick={() => setAsked('announce')}>Announce it</Button>}
      {phase === 'decided' && not_yet === null && may('prizes.pay') && (
        <Button onClick={() => setAsked('finalise')}>Make it final</Button>
      )}
      {state !== 'draft' && (
        <ButtonLink to={`/rankings/tournament/${tournament}`} tone="secondary">
          As players see it
        </ButtonLink>
      )}
      {state !== 'finalised' && state !== 'cancelled' && (
        <Button tone="danger" onClick={() => setAsked('cancel')}>
          {state === 'draft' ? 'Delete' : 'Call it off'}
        </Button>
      )}
      <ConfirmDialog
        {...dialog('announce')}
        title={`Announce ${name}?`}
        action="Announce it"
        endpoint={announceTournament}
        input={() => ({ tournament, version })}
      >
        <p>Players see it from now on, and can register while registration is open.</p>
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog('cancel')}
        title={state === 'draft' ? `Delete ${name}?` : `Call ${name} off?`}
        action={state === 'draft' ? 'Delete it' : 'Call it off'}
        tone="danger"
        reason="required"
        {...(state !== 'draft' && { reasonHint: 'Players read it.' })}
        endpoint={cancelTournament}
        input={(reason) => ({ tournament, version, reason })}
      >
        <p>
          {state === 'draft'
            ? 'Nobody has seen it yet.'
            : 'Its page stays, marked as cancelled, and nobody wins a prize.'}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog('finalise')}
        title={`Make ${name} final?`}
        action="Make it final"
        endpoint={finaliseTournament}
        input={() => ({ tournament, version })}
      >
        <p>
          Results cannot be changed after that. {sent.length > 0 ? 'These prizes are sent now:' : 'No prize is sent.'}
        </p>
        <ul>
          {holders.map(({ place, words, entry, why_not }) => (
            <li key={place}>
              Place {place}: {words}, {why_not ?? shown.list.find((one) => one.entry === entry)?.name}
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  )
}

const said = ({ message }: { message: string }) => message
