import { partName, roundName, type Tournament } from '#contract/tournaments.ts'

export const LIST_PATH = '/rankings/tournament'
export const tournamentPath = (tournament: number) => `${LIST_PATH}/${tournament}`

/** The list's part of an address: where an older page of it begins. */
export const tournamentsSearch = {
  names: ['after'],
  read: (query: URLSearchParams) => {
    const after = query.get('after') ?? ''
    return { after: /^\d{1,15}\.\d{1,15}$/.test(after) ? after : '' }
  },
}

export type Match = Tournament['matches'][number]
export type Entry = Tournament['list'][number]
export type Round = { key: string; name: string; matches: Match[] }
export type Part = { key: string; name: string; isGroup: boolean; grp: number; rounds: Round[] }

/** A tournament's matches as they are drawn: groups or brackets, the rounds of each, and the matches of those. */
export function partsOf(tournament: Tournament): Part[] {
  const parts = Map.groupBy(tournament.matches, ({ stage, grp }) => `${stage}.${grp}`)
  return [...parts].map(([key, matches]) => {
    const [first] = matches
    const position = { stage: first?.stage ?? 1, grp: first?.grp ?? 1 }
    const rounds = [...Map.groupBy(matches, ({ round }) => round)]
    return {
      key,
      grp: position.grp,
      name: partName(position, tournament),
      isGroup: tournament.format === 'groups' && position.stage === 1,
      rounds: rounds.map(([round, own]) => ({
        key: `${key}.${round}`,
        name: roundName({ ...position, round, number: 1 }, rounds.length, tournament),
        matches: own,
      })),
    }
  })
}

/** '1st', '2nd', '3rd', '4th' … */
export function placeWords(place: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th' } as Record<string, string>
  return `${place}${ending[ORDINAL.select(place)] ?? 'th'}`
}
const ORDINAL = new Intl.PluralRules('en', { type: 'ordinal' })
