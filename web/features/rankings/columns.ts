import type { Board } from '#contract/game.ts'
import type { RankedCharacter } from '#contract/rankings.ts'

type Counted = 'ChaLevel' | 'ChaResuScore' | 'ChaMMR' | 'ChaMoney' | 'ChaPKScore' | 'ChaPKDeath'
export type Column = { head: string; field: Counted | 'ChaLevelUpDate' }

/** The columns that every board has (SPEC §2.9). */
export const COMMON_HEADS = ['Rank', 'Character Name', 'Class', 'School'] as const

/** The columns of each board after the common ones. */
export const BOARD_COLUMNS: Record<Board, readonly Column[]> = {
  resu: [
    { head: 'Level', field: 'ChaLevel' },
    { head: 'Resu', field: 'ChaResuScore' },
  ],
  mmr: [{ head: 'MMR', field: 'ChaMMR' }],
  level: [
    { head: 'Level', field: 'ChaLevel' },
    { head: 'Time Logged', field: 'ChaLevelUpDate' },
  ],
  richest: [
    { head: 'Level', field: 'ChaLevel' },
    { head: 'Money', field: 'ChaMoney' },
  ],
  killer: [
    { head: 'Level', field: 'ChaLevel' },
    { head: 'Kills', field: 'ChaPKScore' },
    { head: 'Deaths', field: 'ChaPKDeath' },
  ],
}

/** The column a board is sorted by: the large number of its rows. */
export const LEADING_FIELD: Record<Board, Column['field']> = {
  resu: 'ChaResuScore',
  mmr: 'ChaMMR',
  level: 'ChaLevel',
  richest: 'ChaMoney',
  killer: 'ChaPKScore',
}

const COMMON_FIELDS = ['ChaNum', 'ChaName', 'ChaClass', 'ChaSchool'] as const
type CommonField = (typeof COMMON_FIELDS)[number]

/** A row of one board: the common fields and those of the board's own columns. */
export type BoardRow = Pick<RankedCharacter, CommonField> & Partial<Pick<RankedCharacter, Column['field']>>

/** Leaves out what a board does not show, so that its document carries nothing for nobody. */
export function toBoardRow(board: Board, character: RankedCharacter): BoardRow {
  const fields = [...COMMON_FIELDS, ...BOARD_COLUMNS[board].map(({ field }) => field)]
  return Object.fromEntries(fields.map((field) => [field, character[field]])) as BoardRow
}
