import type { getDeskLeague } from '#contract/desk-leagues.ts'
import type { CallOutput } from '#contract/endpoint.ts'

export type League = CallOutput<typeof getDeskLeague>
