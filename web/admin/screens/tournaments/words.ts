import type { getDeskTournament } from '#contract/desk-tournaments.ts'
import type { CallOutput } from '#contract/endpoint.ts'

export type Tournament = CallOutput<typeof getDeskTournament>
export type Match = Tournament['matches'][number]

/** Who an entry is. */
export const nameOf = ({ list }: Tournament, entry: number | null) =>
  list.find((one) => one.entry === entry)?.name ?? 'To be decided'

/** 'Ana – Ben' */
export const namesOf = (tournament: Tournament, { entry1, entry2 }: Match) =>
  `${nameOf(tournament, entry1)} – ${nameOf(tournament, entry2)}`
