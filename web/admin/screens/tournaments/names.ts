import type { getDeskTournament } from '#contract/desk-tournaments.ts'
import type { CallOutput } from '#contract/endpoint.ts'

export type Tournament = CallOutput<typeof getDeskTournament>
export type Match = Tournament['matches'][number]

/** Returns the name of an entry. */
export const getEntryName = ({ list }: Tournament, entry: number | null) =>
  list.find((row) => row.entry === entry)?.name ?? 'To be decided'

/** Returns the names of both entries: 'Ana – Ben'. */
export const getMatchNames = (tournament: Tournament, { entry1, entry2 }: Match) =>
  `${getEntryName(tournament, entry1)} – ${getEntryName(tournament, entry2)}`
