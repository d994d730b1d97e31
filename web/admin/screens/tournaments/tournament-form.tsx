import { useNavigate } from 'react-router'
import { getDeskTournament, saveTournament, tournamentFields } from '#contract/desk-tournaments.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { FormValues } from '#contract/endpoint.ts'
import { toPrize } from '#contract/prizes.ts'
import { countDecidedRanks } from '#contract/tournaments.ts'
import { call } from '#web/api/call.ts'
import { getServerNow } from '../../kit/clock.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { PrizeFields } from '../../kit/prize-fields.tsx'
import type { Tournament } from './names.ts'

type Values = FormValues<typeof saveTournament>

/** Returns the default values of a new tournament: the first Saturday after at least 7 days, 20:00 in Manila. */
function createDefaultValues(): Partial<Values> {
  const getDateInDays = (days: number) => new Date(getServerNow() + days * DAY_MS + 8 * HOUR_MS)
  const saturday = 7 + ((6 - getDateInDays(7).getUTCDay() + 7) % 7)
  const evening = Date.parse(`${getDateInDays(saturday).toISOString().slice(0, 10)}T20:00:00+08:00`)
  const toHoursBefore = (hours: number) => new Date(evening - hours * HOUR_MS).toISOString()
  return {
    tournament: null,
    version: 0,
    kind: 'players',
    format: 'single',
    level_from: 1,
    level_to: null,
    max_entries: 32,
    registration_from: new Date(getServerNow()).toISOString(),
    registration_until: toHoursBefore(3),
    checkin_from: toHoursBefore(2),
    checkin_until: toHoursBefore(0.5),
    starts_at: toHoursBefore(0),
    prizes: [],
  }
}

const toValues = ({ offers, ...row }: Tournament): Partial<Values> => ({
  ...row,
  prizes: offers.map(toPrize),
})

/** Edits the announcement. After the draw, only the name and the text can change. */
export function TournamentForm({ tournament }: { tournament: Tournament | null }) {
  const navigate = useNavigate()
  const isDrawn = tournament !== null && tournament.state !== 'draft' && tournament.state !== 'announced'
  return (
    <DeskForm
      endpoint={saveTournament}
      fields={tournamentFields}
      values={tournament === null ? createDefaultValues() : toValues(tournament)}
      {...(tournament !== null && {
        fetchLatest: async () => toValues(await call(getDeskTournament, { tournament: String(tournament.tournament) })),
      })}
      submitLabel={tournament === null ? 'Save the draft' : 'Save'}
      successMessage="Saved."
      onDone={({ tournament: saved }) => {
        if (tournament === null) void navigate(`/admin/tournaments/${saved}`)
      }}
      show={(form) => [
        'name',
        'about',
        ...(isDrawn
          ? [<p key="drawn">The bracket is drawn, so only the name and the text can be changed.</p>]
          : ([
              ['kind', 'format', 'level_from', 'level_to', 'max_entries'],
              form.values.format !== 'double' && 'third_place',
              ['registration_from', 'registration_until', 'checkin_from', 'checkin_until', 'starts_at'],
              <PrizeFields
                key="prizes"
                line="When you make the tournament final, each winner gets a letter with the prize; a club’s prize goes to its leader. Staff win nothing."
                rankCount={countDecidedRanks({ format: 'single', third_place: false, ...form.values })}
                prizes={form.values.prizes ?? []}
                error={form.getError('prizes')}
                onChange={(prizes) => form.change({ prizes })}
              />,
            ] as const)),
      ]}
    />
  )
}
