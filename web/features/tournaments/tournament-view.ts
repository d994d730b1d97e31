import type { CallOutput } from '#contract/endpoint.ts'
import {
  getPartName,
  getRoundName,
  type getTournaments,
  type Tournament,
  type TournamentPhase,
} from '#contract/tournaments.ts'

export const LIST_PATH = '/rankings/tournament'

/** The search parameter of the list: the start of an older page. */
export const tournamentsSearch = {
  names: ['after'],
  read: (query: URLSearchParams) => {
    const after = query.get('after') ?? ''
    return { after: /^\d{1,15}\.\d{1,15}$/.test(after) ? after : '' }
  },
}

/** A tournament as an entry of the list. */
export type TournamentSummary = CallOutput<typeof getTournaments>['data'][number]

/** The drawn scene of a tournament. */
export const getScenePath = (kind: TournamentSummary['kind']) => `/art/tournament-${kind}.svg`

/** Returns the next step of a tournament and its time in ms; undefined if none is planned. */
export function getNextStep(tournament: TournamentSummary, now: number): { label: string; at: number } | undefined {
  const { registration_from, registration_until, checkin_from, checkin_until, starts_at, next_match_at } = tournament
  const steps: Partial<Record<TournamentPhase, readonly [label: string, at: string | null]>> = {
    coming: ['Registration opens in', registration_from],
    open: ['Registration closes in', registration_until],
    closed: ['Check-in opens in', checkin_from],
    checkin: ['Check-in closes in', checkin_until],
    ready: ['Begins in', starts_at],
    running: ['Next match in', next_match_at],
  }
  const [label = '', time = null] = steps[tournament.phase] ?? []
  const at = time === null ? 0 : Date.parse(time)
  return at > now ? { label, at } : undefined
}

/**
 * Returns the interval in ms at which tournaments reload: short during matches, longer before them; false otherwise.
 * A hidden page does not reload (RANK-18).
 */
export function getRefreshMs(phases: readonly TournamentPhase[]): number | false {
  if (phases.includes('running')) return 15_000
  return phases.some((phase) => phase === 'checkin' || phase === 'ready') && 60_000
}

export type Match = Tournament['matches'][number]
export type Entry = Tournament['list'][number]
export type Round = { key: string; name: string; matches: Match[] }
export type TournamentPart = { key: string; name: string; isGroup: boolean; grp: number; rounds: Round[] }

/** Returns a tournament's matches as they are drawn: groups or brackets, their rounds, and the rounds' matches. */
export function listParts(tournament: Tournament): TournamentPart[] {
  const matchesByPart = Map.groupBy(tournament.matches, ({ stage, grp }) => `${stage}.${grp}`)
  return [...matchesByPart].map(([key, matches]) => {
    const [firstMatch] = matches
    const position = { stage: firstMatch?.stage ?? 1, grp: firstMatch?.grp ?? 1 }
    const rounds = [...Map.groupBy(matches, ({ round }) => round)]
    return {
      key,
      grp: position.grp,
      name: getPartName(position, tournament),
      isGroup: tournament.format === 'groups' && position.stage === 1,
      rounds: rounds.map(([round, roundMatches]) => ({
        key: `${key}.${round}`,
        name: getRoundName({ ...position, round, number: 1 }, rounds.length, tournament),
        matches: roundMatches,
      })),
    }
  })
}
