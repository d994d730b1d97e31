import { clubs, fights, mmr, resu } from './fighting.ts'
import { levels, refining, schools } from './growing.ts'
import { channels, month, parcels, purses } from './living.ts'
import type { SystemSection } from './system-types.ts'

/** The game's systems, in the order a new player meets them. */
export const SYSTEM_SECTIONS: readonly SystemSection[] = [
  levels,
  schools,
  refining,
  channels,
  fights,
  resu,
  mmr,
  clubs,
  purses,
  parcels,
  month,
]
