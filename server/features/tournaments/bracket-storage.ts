import type { CrudInterface, DataTypes, OmitId, Table } from 'brackets-manager'
import type { Db } from '#server/db/open.ts'

type Row = DataTypes[Table]
/** A match as brackets-manager has it. */
export type BracketMatch = DataTypes['match']
type Rows = { [T in Table]: Map<string | number, DataTypes[T]> }

/**
 * The position of a match in its tournament, each from 1. The bracket's ids consist of it, so a redraw finds its rows
 * again.
 */
export type Position = { stage: number; grp: number; round: number; number: number }

/** Reads a match's position from its id, which `toPositionKey` wrote. */
export const parsePosition = ({ id }: Pick<BracketMatch, 'id'>): Position => {
  const [stage = 0, grp = 0, round = 0, number = 0] = String(id).split('.').map(Number)
  return { stage, grp, round, number }
}

/** The id of the match at a position: '1.1.2.3' for stage, group, round and number. */
export const toPositionKey = ({ stage, grp, round, number }: Position) => `${stage}.${grp}.${round}.${number}`

/**
 * Opens the storage of brackets-manager on our tables, within the transaction `tx`. Its participants are the entries
 * with a seed, read once; new rows stay in memory until the caller writes them in one statement, because a bracket of
 * 64 would otherwise take thousands. Stages, groups and rounds have no rows: they are in a match's position.
 */
export async function openBracketStorage(tx: Db, tournament: number) {
  const entries = await tx
    .selectFrom('tournament_entries')
    .where('tournament', '=', tournament)
    .where('seed', 'is not', null)
    .select(['entry', 'cha_name'])
    .orderBy('seed')
    .execute()
  const rows: Rows = {
    participant: new Map(
      entries.map(({ entry, cha_name }) => [entry, { id: entry, tournament_id: tournament, name: cha_name }]),
    ),
    stage: new Map(),
    group: new Map(),
    round: new Map(),
    match: new Map(),
    match_game: new Map(),
  }

  const add = <T extends Table>(table: T, value: OmitId<DataTypes[T]>) => {
    const id = toId(table, value as Partial<BracketMatch>)
    rows[table].set(id, { ...structuredClone(value), id } as DataTypes[T])
    return id
  }
  const find = <T extends Table>(table: T, filter?: string | number | Partial<DataTypes[T]>): DataTypes[T][] => {
    const all = rows[table] as Map<string | number, DataTypes[T]>
    if (typeof filter === 'string' || typeof filter === 'number')
      return [all.get(filter)].filter((row) => row !== undefined)
    const wanted = Object.entries(filter ?? {})
    return [...all.values()].filter((row) => wanted.every(([name, value]) => row[name as keyof Row] === value))
  }

  const storage: CrudInterface = {
    insert: (async (table: Table, value: OmitId<Row> | OmitId<Row>[]) => {
      if (!Array.isArray(value)) return add(table, value)
      for (const one of value) add(table, one)
      return true
    }) as CrudInterface['insert'],

    select: (async (table: Table, filter?: string | number | Partial<Row>) => {
      const found = structuredClone(find(table, filter))
      return typeof filter === 'string' || typeof filter === 'number' ? (found[0] ?? null) : found
    }) as CrudInterface['select'],

    update: (async (table: Table, filter: string | number | Partial<Row>, value: Partial<Row>) => {
      for (const row of find(table, filter)) Object.assign(row, structuredClone(value))
      return true
    }) as CrudInterface['update'],

    delete: async <T extends Table>(table: T, filter?: Partial<DataTypes[T]>) => {
      for (const { id } of find(table, filter)) rows[table].delete(id)
      return true
    },
  }

  return {
    storage,
    seeds: entries.map(({ entry }) => entry),
    /** Every match as it is now, in the order of its position. */
    matches: () => [...rows.match.values()],
  }
}

/** `1`, `1.2`, `1.2.3` or `1.2.3.4`: a stage, a group in it, a round in that, a match in that. */
function toId(table: Table, { stage_id, group_id, round_id, number }: Partial<BracketMatch>): string | number {
  if (table === 'stage') return Number(number)
  const parent = { group: stage_id, round: group_id, match: round_id }[table as 'group' | 'round' | 'match']
  if (parent === undefined) throw new Error(`A bracket has no ${table} to insert.`)
  return `${parent}.${number}`
}
