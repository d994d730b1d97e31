import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { WireEndpoint } from '#contract/endpoint.ts'
import { formatManilaEnd, formatManilaMinute } from '#contract/manila.ts'
import {
  checkInEntry,
  getOwnEntry,
  getTournament,
  registerEntry,
  type Tournament,
  withdrawEntry,
} from '#contract/tournaments.ts'
import { useAttempt } from '#web/api/attempt.ts'
import { call, getAlertText, isSessionExpired } from '#web/api/call.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { FormActions, PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { getTournamentPath } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './tournament-page.module.css'

/**
 * The buttons to register, check in and withdraw. The HTML is the same for every visitor; a player's entry loads with
 * the session.
 */
export function MyEntry({ tournament }: { tournament: Tournament }) {
  const now = useNow()
  const isRegistrationOpen = isBetween(now, tournament.registration_from, tournament.registration_until)
  const isCheckInOpen = isBetween(now, tournament.checkin_from, tournament.checkin_until)
  const userNum = useSession()?.user.UserNum ?? 0
  if (['cancelled', 'finalised', 'decided', 'running'].includes(tournament.phase)) return null
  return (
    <PaperSheet>
      <SheetPart title="Take part" line={describeEntry(tournament, now)}>
        {isRegistrationOpen && (
          <div data-for="guest">
            <p className={styles.guestNote}>You register with one of your characters.</p>
            <ButtonLink to={`/login?next=${encodeURIComponent(getTournamentPath(tournament.tournament))}`} tone="paper">
              Log in to register
            </ButtonLink>
          </div>
        )}
        <div data-for="player">
          {userNum === 0 ? (
            <Skeleton width="60%" height={44} />
          ) : (
            <EntryControls
              tournament={tournament}
              isRegistrationOpen={isRegistrationOpen}
              isCheckInOpen={isCheckInOpen}
            />
          )}
        </div>
      </SheetPart>
    </PaperSheet>
  )
}

const isBetween = (now: number, from: string, until: string) => Date.parse(from) <= now && now < Date.parse(until)

/** Returns the current time in ms, which starts with the document's time. */
function useNow(): number {
  const [now, setNow] = useState(useRenderedAt())
  useEffect(() => {
    const updateNow = () => setNow(Date.now())
    updateNow()
    const timer = setInterval(updateNow, 20_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

function describeEntry(tournament: Tournament, now: number): string {
  const { registration_from, registration_until, checkin_from, checkin_until, max_entries, entries } = tournament
  const formatTime = (time: string) => formatManilaMinute(new Date(time))
  const formatEnd = (time: string) => formatManilaEnd(new Date(time))
  if (now < Date.parse(registration_from)) return `Registration opens on ${formatTime(registration_from)}.`
  if (isBetween(now, checkin_from, checkin_until))
    return `Check-in is open until ${formatEnd(checkin_until)}. If you don’t check in, you don’t play.`
  if (now < Date.parse(registration_until)) {
    const spotsLeft = max_entries - entries
    return spotsLeft > 0
      ? `${spotsLeft} of ${max_entries} spots are left. Registration closes on ${formatEnd(registration_until)}.`
      : 'Every spot is taken. One may still become free.'
  }
  if (now < Date.parse(checkin_from)) return `Registration is closed. Check-in opens on ${formatTime(checkin_from)}.`
  return 'Check-in is closed. The bracket will be drawn soon.'
}

type EntryControlsProps = { tournament: Tournament; isRegistrationOpen: boolean; isCheckInOpen: boolean }

function EntryControls({
  tournament: { tournament, kind, entries, max_entries },
  isRegistrationOpen,
  isCheckInOpen,
}: EntryControlsProps) {
  const { data, error, refetch } = useCall(getOwnEntry, { id: String(tournament) })
  const [busy, runEntryAction] = useEntryAction()
  if (data === undefined)
    return error === null || isSessionExpired(error) ? (
      <Skeleton width="60%" height={44} />
    ) : (
      <div role="alert">
        <p>{getAlertText(error)}</p>
        <Button tone="secondary" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  const { entry, characters } = data
  if (entry === null) {
    if (!isRegistrationOpen) return <p>You are not registered.</p>
    if (entries >= max_entries) return null
    if (characters.every(({ why_not }) => why_not !== null))
      return <p>None of your characters can take part: their levels are outside the allowed range.</p>
    return <RegistrationForm tournament={tournament} kind={kind} characters={characters} />
  }
  const name = entry.club ?? characters.find(({ cha_num }) => cha_num === entry.cha_num)?.cha_name ?? 'Your character'
  return (
    <>
      <p className={styles.myEntry} role="status">
        <strong>{name}</strong> {entry.checked_in ? 'is checked in. Good luck!' : 'is registered.'}
      </p>
      <FormActions>
        {isCheckInOpen && !entry.checked_in && (
          <Button tone="paper" busy={busy} onClick={() => void runEntryAction(checkInEntry, { tournament })}>
            Check in
          </Button>
        )}
        <Button tone="secondary" busy={busy} onClick={() => void runEntryAction(withdrawEntry, { tournament })}>
          Withdraw
        </Button>
      </FormActions>
    </>
  )
}

/** Returns a function that reloads the page's data of the tournament. */
function useReloadTournament() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [getOwnEntry, getTournament].map((endpoint) => queries.invalidateQueries({ queryKey: toKeyPrefix(endpoint) })),
    )
}

/**
 * Returns whether a call is running, and a function that makes a call and shows its response or refusal as a message.
 */
function useEntryAction() {
  const [busy, attempt] = useAttempt()
  const reloadTournament = useReloadTournament()
  const runEntryAction = (endpoint: WireEndpoint, input: object) =>
    attempt(async () => {
      const { message } = await call(endpoint as typeof checkInEntry, input as { tournament: number })
      void showToast('done', message)
    }, reloadTournament)
  return [busy, runEntryAction] as const
}

type Characters = { cha_num: number; cha_name: string; cha_level: number; why_not: string | null }[]
type RegistrationFormProps = { tournament: number; kind: Tournament['kind']; characters: Characters }

function RegistrationForm({ tournament, kind, characters }: RegistrationFormProps) {
  const reloadTournament = useReloadTournament()
  const [firstCharacter] = characters.filter(({ why_not }) => why_not === null)
  const { form, field, busy, failure } = useCallForm(registerEntry, {
    defaultValues: { tournament, character: String(firstCharacter?.cha_num ?? ''), club: '' },
    onDone: async ({ message }) => {
      void showToast('done', message)
      await reloadTournament()
    },
  })
  return (
    <form {...form} className={`${layout.stack} ${styles.form}`}>
      {kind === 'clubs' && (
        <TextField label="Your club" hint="you register as its leader" autoComplete="off" {...field('club')} />
      )}
      <SelectField label={kind === 'clubs' ? 'Its leader' : 'Your character'} {...field('character')}>
        {characters.map(({ cha_num, cha_name, cha_level, why_not }) => (
          <option key={cha_num} value={cha_num} disabled={why_not !== null}>
            {cha_name}, {why_not ?? `level ${cha_level}`}
          </option>
        ))}
      </SelectField>
      {failure !== null && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
      <FormActions>
        <Button type="submit" tone="paper" busy={busy}>
          Register
        </Button>
      </FormActions>
    </form>
  )
}
