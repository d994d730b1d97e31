import type { CrudInterface, DataTypes, OmitId, Table } from 'brackets-manager'
import type { Db } from '#server/db/open.ts'

type StorageRow = DataTypes[Table]
/** A match in the form of brackets-manager. */
export type BracketMatch = DataTypes['match']
type StorageTables = { [T in Table]: Map<string | number, DataTypes[T]> }

/**
 * The position of a match in its tournament; all numbers count from 1. A match's id consists of its position, so a redrawn
 * bracket updates the same rows.
 */
export type Position = { stage: number; grp: number; round: number; number: number }

/** Reads a match's position from its id, such as '1.1.2.3'. */
export const parsePosition = ({ id }: Pick<BracketMatch, 'id'>): Position => {
  const [stage = 0, grp = 0, round = 0, number = 0] = String(id).split('.').map(Number)
  return { stage, grp, round, number }
}

/** Returns the id of the match at a position, such as '1.1.2.3' for stage, group, round and number. */
export const toMatchId = ({ stage, grp, round, number }: Position) => `${stage}.${grp}.${round}.${number}`

/**
 * Opens the storage of brackets-manager for a tournament. Its entries with a seed are the participants. New rows stay in
 * memory until the caller writes them in one statement, because a bracket of 64 would otherwise take thousands of
 * statements. Stages, groups and rounds are part of a match's position and have no tables.
 */
export async function openBracketStorage(tx: Db, tournament: number) {
  const entries = await tx
    .selectFrom('tournament_entries')
    .where('tournament', '=', tournament)
    .where('seed', 'is not', null)
    .select(['entry', 'cha_name'])
    .orderBy('seed')
    .execute()
  const rows: StorageTables = {
    participant: new Map(
      entries.map(({ entry, cha_name }) => [entry, { id: entry, tournament_id: tournament, name: cha_name }]),
    ),
    stage: new Map(),
    group: new Map(),
    round: new Map(),
    match: new Map(),
    match_game: new Map(),
  }

  const insertRow = <T extends Table>(table: T, value: OmitId<DataTypes[T]>) => {
    const id = toId(table, value as Partial<BracketMatch>)
    rows[table].set(id, { ...structuredClone(value), id } as DataTypes[T])
    return id
  }
  const findRows = <T extends Table>(table: T, filter?: string | number | Partial<DataTypes[T]>): DataTypes[T][] => {
    const tableRows = rows[table] as Map<string | number, DataTypes[T]>
    if (typeof filter === 'string' || typeof filter === 'number')
      return [tableRows.get(filter)].filter((row) => row !== undefined)
    const conditions = Object.entries(filter ?? {})
    return [...tableRows.values()].filter((row) =>
      conditions.every(([name, value]) => row[name as keyof StorageRow] === value),
    )
  }

  const storage: CrudInterface = {
    insert: (async (table: Table, value: OmitId<StorageRow> | OmitId<StorageRow>[]) => {
      if (!Array.isArray(value)) return insertRow(table, value)
      for (const row of value) insertRow(table, row)
      return true
    }) as CrudInterface['insert'],

    select: (async (table: Table, filter?: string | number | Partial<StorageRow>) => {
      const foundRows = structuredClone(findRows(table, filter))
      return typeof filter === 'string' || typeof filter === 'number' ? (foundRows[0] ?? null) : foundRows
    }) as CrudInterface['select'],

    update: (async (table: Table, filter: string | number | Partial<StorageRow>, value: Partial<StorageRow>) => {
      for (const row of findRows(table, filter)) Object.assign(row, structuredClone(value))
      return true
    }) as CrudInterface['update'],

    delete: async <T extends Table>(table: T, filter?: Partial<DataTypes[T]>) => {
      for (const { id } of findRows(table, filter)) rows[table].delete(id)
      return true
    },
  }

  return {
    storage,
    seeds: entries.map(({ entry }) => entry),
    /** Returns every match in its current state, in the order of positions. */
    listMatches: () => [...rows.match.values()],
  }
}

/** Returns the id of a stage (`1`), of a group in it (`1.2`), of its round (`1.2.3`) or of a match (`1.2.3.4`). */
function toId(table: Table, { stage_id, group_id, round_id, number }: Partial<BracketMatch>): string | number {
  if (table === 'stage') return Number(number)
  const parent = { group: stage_id, round: group_id, match: round_id }[table as 'group' | 'round' | 'match']
  if (parent === undefined) throw new Error(`Rows of the table ${table} cannot be inserted into a bracket.`)
  return `${parent}.${number}`
}
