import { sql } from 'kysely'
import {
  CHARACTERS_IN_BLOCK,
  type CharacterRow,
  compareCharacters,
  HIDDEN_REASONS,
  sendCharacters,
} from '#contract/bridge-characters.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import { CLASS_NAMES, getClassCodes, NO_SCHOOL, SCHOOLS } from '#contract/game.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type Recording, recordLevels } from '#server/features/activity/record.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { writeAudit } from '#server/http/audit.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { readSettings } from '#server/settings.ts'
import { checkLease } from './lease.ts'

/** The maximum length of a stored name. Games of this kind have no longer names. */
const NAME_MAX = 40
const KNOWN_CLASSES = CLASS_NAMES.flatMap(getClassCodes)
const KNOWN_SCHOOLS = SCHOOLS.map(({ code }) => code)

/**
 * Compares the characters that the agent has just read with the stored ones, block by block. If no block differs, the
 * reading is complete: it hides stored characters that the game lacks, and closes a month that waited for it. The first
 * reading removes the characters of the demo world. Compares nothing while a restore of the game's database waits.
 *
 * @returns the blocks that differ
 * @throws Refusal 409 when another agent works, 422 for lists of different lengths
 */
export async function compareBlocks(
  deps: Deps,
  caller: BridgeCaller,
  input: ValidInput<typeof compareCharacters>,
): Promise<CallAnswer<typeof compareCharacters>> {
  if (input.blocks.length !== input.hashes.length) throw refuse(compareCharacters, 'uneven')
  const now = deps.now()
  const readAt = new Date(now.getTime() - input.age_ms)
  // While a restore waits, the agent receives an empty list and checks again in a minute.
  const isRestoreOpen = await checkLease(deps.db, caller)
  if (isRestoreOpen) return { now, wanted: [] }
  await closeMonthBefore(deps, readAt)
  const differingBlocks = await deps.db.transaction().execute(async (tx) => {
    await beginReading(tx, caller, { readAt, now, lacks: input.lacks })
    const { rows } = await sql<{ block: number; has: string | null }>`
      select n.block, b.hash as has from unnest(${input.blocks}::bigint[], ${input.hashes}::text[]) n (block, hash)
      left join character_blocks b on b.block = n.block
      where b.hash is distinct from n.hash order by n.block`.execute(tx)
    if (rows.length === 0) await completeReading(tx, input, readAt)
    return rows.map(({ block, has }) => ({ block: Number(block), has }))
  })
  if (differingBlocks.length === 0) await rollOver(deps.db, now)
  return { now, wanted: differingBlocks }
}

/**
 * Closes a month that is over with the values from before its end, before later values are stored. `rollOver` leaves
 * the month open if the stored values are too old. The month then waits for this reading.
 */
async function closeMonthBefore({ db, now }: Deps, readAt: Date): Promise<void> {
  const endedPeriod = await db
    .selectFrom('ranking_periods')
    .where('closed_at', 'is', null)
    .where('ends_at', '<=', readAt)
    .select('period')
    .executeTakeFirst()
  if (endedPeriod === undefined) return
  // `rollOver` waits for a running reading from before the end of the month. The agent already sends later values.
  await db.updateTable('game_sync').set({ running_at: null }).execute()
  await rollOver(db, now())
}

type Reading = { readAt: Date; now: Date; lacks: string[] }

/** Notes that a reading is in progress, and the measures that the game lacks. The first reading removes the demo characters. */
async function beginReading(tx: Db, { bridge }: BridgeCaller, { readAt, now, lacks }: Reading): Promise<void> {
  await ensureSync(tx, bridge, now)
  const sync = await tx.selectFrom('game_sync').select(['began_at', 'lacks']).forUpdate().executeTakeFirstOrThrow()
  // The ranking of a measure that the game lacked stays empty until a reading with the measure is complete. Its gains count
  // from then on.
  const missingMeasures = sync.began_at === null ? lacks : [...new Set([...sync.lacks, ...lacks])]
  await tx
    .updateTable('game_sync')
    .set({ bridge, began_at: sync.began_at ?? now, running_at: readAt, active_at: now, lacks: missingMeasures })
    .execute()
  if (sync.began_at === null) await removeDemoCharacters(tx, now)
}

/** Creates the row of `game_sync` if it is missing. */
export async function ensureSync(tx: Db, bridge: number, now: Date): Promise<void> {
  await tx
    .insertInto('game_sync')
    .values({ bridge, active_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Removes the demo world's characters. Closed months and seasons keep their entries. The game's characters reuse the
 * numbers, so hidden characters are marked as taken out in closed months and renamed in seasons.
 */
async function removeDemoCharacters(tx: Db, now: Date): Promise<void> {
  const isHiddenCharacter = sql<boolean>`cha_num in (select cha_num from hidden_characters)`
  await tx
    .updateTable('ranking_archive')
    .set({ taken_out_at: now })
    .where('taken_out_at', 'is', null)
    .where(isHiddenCharacter)
    .execute()
  await tx.updateTable('season_characters').set({ cha_name: 'Erased' }).where(isHiddenCharacter).execute()
  await tx.deleteFrom('hidden_characters').execute()
  await tx.deleteFrom('clubs').execute()
  await tx.deleteFrom('club_marks').execute()
  await tx.deleteFrom('club_alliances').execute()
  const { numDeletedRows } = await tx
    .deleteFrom('characters')
    .where('game_user_num', 'is', null)
    .executeTakeFirstOrThrow()
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'job', name: 'bridge' },
    action: 'characters come from the game',
    target: ['game', 'characters'],
    after: { 'removed characters of the demo world': Number(numDeletedRows) },
  })
}

/** Hides stored characters whose block the game no longer has, starts measures, and stores the figures of the reading. */
async function completeReading(
  tx: Db,
  { blocks, lacks, took_ms, sent_bytes, changed }: ValidInput<typeof compareCharacters>,
  readAt: Date,
): Promise<void> {
  const { rows: missingBlocks } = await sql<{ block: number }>`
    delete from character_blocks where block <> all(${blocks}::bigint[]) returning block`.execute(tx)
  if (missingBlocks.length > 0)
    await sql`
      update characters c set kept_out = 'missing', user_num = null
      from unnest(${missingBlocks.map(({ block }) => Number(block))}::bigint[]) n (block)
      where c.cha_num >= n.block * ${sql.lit(CHARACTERS_IN_BLOCK)} and c.cha_num < (n.block + 1) * ${sql.lit(CHARACTERS_IN_BLOCK)}
        and c.game_user_num is not null and c.kept_out <> 'missing'`.execute(tx)
  const { values_at, lacks: formerLacks } = await tx
    .selectFrom('game_sync')
    .select(['values_at', 'lacks'])
    .executeTakeFirstOrThrow()
  await beginMeasures(
    tx,
    formerLacks.filter((measure) => !lacks.some((lackedMeasure) => lackedMeasure === measure)),
  )
  const isUnchanged = values_at !== null && changed === 0 && missingBlocks.length === 0
  await tx
    .updateTable('game_sync')
    .set({
      values_at: readAt,
      running_at: null,
      problem: '',
      lacks,
      took_ms,
      sent_bytes,
      changed,
      ...(!isUnchanged && { counts: JSON.stringify(await countCharacters(tx)) }),
    })
    .execute()
}

/**
 * The measures that only rise, with their columns: the counter of the game (`value`), its value at the start of the month
 * (`base`), the counts from before the counter fell (`past`), and the total at the start of the season (`start`).
 */
const COUNTERS = [
  { measure: 'kills', value: 'cha_pk_score', base: 'base_kills', past: 'past_kills', start: 'start_kills' },
  { measure: 'deaths', value: 'cha_pk_death', base: 'base_deaths', past: 'past_deaths', start: null },
  { measure: 'resu', value: 'cha_resu_score', base: 'base_resu', past: 'past_resu', start: 'start_resu' },
] as const
/** The measures whose current value is ranked, with the column for their value at the start of the season. */
const PRESENT_VALUES = [
  { measure: 'mmr', value: 'cha_mmr', start: 'start_mmr' },
  { measure: 'money', value: 'cha_money', start: 'start_money' },
] as const

/**
 * Starts measures whose column the agent could not read before. Their first values count as the start of the month, and so
 * as no gain. Skips new characters, whose month begins with their values.
 */
async function beginMeasures(tx: Db, measures: readonly string[]): Promise<void> {
  for (const { measure, ...names } of COUNTERS) {
    if (!measures.includes(measure)) continue
    const [value, base, past] = [sql.ref(names.value), sql.ref(names.base), sql.ref(names.past)]
    const start = names.start === null ? null : sql.ref(names.start)
    await sql`
      update characters set ${base} = ${base} + ${value}, ${past} = greatest(${past} - ${value}, 0)
        ${start === null ? sql`` : sql`, ${start} = ${start} + ${value} + greatest(${past} - ${value}, 0) - ${past}`}
      where ${base} <= 0 and ${value} > 0 and game_user_num is not null`.execute(tx)
  }
  for (const { measure, value, start } of PRESENT_VALUES)
    if (measures.includes(measure))
      await sql`
        update characters set ${sql.ref(start)} = ${sql.ref(value)}
        where ${sql.ref(start)} = 0 and game_user_num is not null`.execute(tx)
}

/**
 * Counts the visible characters, the hidden ones by reason, and those with an unknown class or school or an odd name
 * (GAME-8).
 */
async function countCharacters(tx: Db): Promise<Record<string, number>> {
  const isInGame = sql`kept_out <> 'missing'`
  const { rows } = await sql<Record<string, number>>`
    select count(*) filter (where kept_out = '')::int as shown,
      count(*) filter (where kept_out = 'staff')::int as staff,
      count(*) filter (where kept_out = 'blocked')::int as blocked,
      count(*) filter (where kept_out = 'deleted')::int as deleted,
      count(*) filter (where kept_out = 'missing')::int as missing,
      count(*) filter (where ${isInGame} and cha_class <> all(${KNOWN_CLASSES}::text[]))::int as odd_class,
      count(*) filter (where ${isInGame} and cha_school <> all(${[...KNOWN_SCHOOLS, NO_SCHOOL]}::int[]))::int as odd_school,
      count(*) filter (where ${isInGame} and odd_name)::int as odd_name
    from characters where game_user_num is not null`.execute(tx)
  return rows[0] ?? {}
}

/**
 * Stores the changes of blocks of characters. Skips a block whose hash has changed since the agent compared it; the next
 * comparison finds it again. Skips all blocks while a restore of the game's database waits. The number of statements does
 * not depend on the number of characters.
 *
 * @throws Refusal 409 when another agent works, 422 for a character outside of its block
 */
export async function bookCharacters(
  deps: Deps,
  caller: BridgeCaller,
  { age_ms, blocks }: ValidInput<typeof sendCharacters>,
): Promise<void> {
  const isOutside = (block: number) => (chaNum: number) => Math.floor(chaNum / CHARACTERS_IN_BLOCK) !== block
  if (blocks.some(({ block, rows, gone }) => [...rows.map(([chaNum]) => chaNum), ...gone].some(isOutside(block))))
    throw refuse(sendCharacters, 'outside')
  const now = deps.now()
  const isRestoreOpen = await checkLease(deps.db, caller)
  if (isRestoreOpen) return
  const { show_who_plays: showTimes } = await readSettings(deps)
  await closeMonthBefore(deps, new Date(now.getTime() - age_ms))
  await deps.db.transaction().execute(async (tx) => {
    const sync = await tx
      .updateTable('game_sync')
      .set({ active_at: now })
      .where('began_at', 'is not', null)
      .executeTakeFirst()
    if (sync.numUpdatedRows === 0n) return
    // The lock delays new links, because a link that commits during this transaction would miss its characters.
    await sql`lock table game_links in share mode`.execute(tx)
    const { rows: storedBlocks } = await sql<{ block: number; hash: string }>`
      select block, hash from character_blocks where block = any(${blocks.map(({ block }) => block)}::bigint[])`.execute(
      tx,
    )
    const hashes = new Map(storedBlocks.map(({ block, hash }) => [Number(block), hash]))
    const acceptedBlocks = blocks.filter(({ block, from }) => from === null || from === hashes.get(block))
    if (acceptedBlocks.length === 0) return
    const reportedRows = new Map(acceptedBlocks.flatMap(({ rows }) => rows.map((row) => [row[0], row] as const)))
    await writeRows(tx, [...reportedRows.values()], { now, showTimes })
    await hideMissingCharacters(tx, acceptedBlocks)
    const newHashes = new Map(acceptedBlocks.map(({ block, to }) => [block, to]))
    await sql`
      insert into character_blocks (block, hash)
      select * from unnest(${[...newHashes.keys()]}::bigint[], ${[...newHashes.values()]}::text[])
      on conflict (block) do update set hash = excluded.hash`.execute(tx)
  })
}

/** Removes line breaks, invisible characters and direction marks from a name. `isOdd` is true if that changed it. */
export function cleanName(reportedName: string, chaNum: number): { name: string; isOdd: boolean } {
  const name = [
    ...reportedName
      .toWellFormed()
      .replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, '')
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, NAME_MAX)
    .join('')
    .trim()
  return { name: name === '' ? `#${chaNum}` : name, isOdd: name !== reportedName.trim() || name === '' }
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))
const SMALLINT_MAX = 32_767
/** The accepted times: the years 2000 to 2199 in seconds since 1970. Games store an earlier time for "never". */
const ACCEPTED_SECONDS = { from: 946_684_800, to: 7_258_118_400 }
/** Counters are clamped to this limit, up to which every sum and gain is exact. Real games have smaller values. */
const COUNTER_MAX = 1_000_000_000_000
const MONEY_MAX = 1_000_000_000_000_000
const isAcceptedTime = (seconds: number | null): seconds is number =>
  seconds !== null && seconds >= ACCEPTED_SECONDS.from && seconds < ACCEPTED_SECONDS.to
/** Converts seconds since 1970 to a date; null for a time that is not accepted. */
export const toDate = (seconds: number | null): Date | null =>
  isAcceptedTime(seconds) ? new Date(seconds * 1000) : null
const clampCounter = (value: number) => clamp(value, -COUNTER_MAX, COUNTER_MAX)

/** Converts a row to values that the columns can hold. */
function toStoredCharacter(row: CharacterRow) {
  const [
    chaNum,
    gameUserNum,
    reportedName,
    cls,
    school,
    level,
    kills,
    deaths,
    mmr,
    resu,
    money,
    levelUp,
    reason,
    club = 0,
  ] = row
  const { name, isOdd } = cleanName(reportedName, chaNum)
  return {
    chaNum,
    gameUserNum,
    name,
    isOddName: isOdd,
    cls: String(cls),
    school: school < NO_SCHOOL || school > SMALLINT_MAX ? -1 : school,
    level: clamp(level, 1, SMALLINT_MAX),
    kills: clampCounter(kills),
    deaths: clampCounter(deaths),
    mmr: clampCounter(mmr),
    resu: clampCounter(resu),
    money: clamp(money, -MONEY_MAX, MONEY_MAX),
    /** In seconds since 1970; 0 for none. */
    levelUpSeconds: isAcceptedTime(levelUp) ? levelUp : 0,
    /** '' for a character that the rankings show. */
    hiddenReason: HIDDEN_REASONS[reason] ?? '',
    /** 0 for none. */
    club,
  }
}
type StoredCharacter = ReturnType<typeof toStoredCharacter>

const CHANGED_COLUMNS = [
  ...['cha_name', 'cha_level', 'cha_class', 'cha_school', 'club', 'cha_pk_score', 'cha_pk_death', 'cha_mmr'],
  ...['cha_resu_score', 'cha_money', 'level_up_at', 'game_user_num', 'user_num', 'kept_out', 'odd_name'],
]

/** Inserts new characters and updates changed ones, each with the site's account that is linked to its game account. */
async function writeRows(tx: Db, rows: readonly CharacterRow[], { now, showTimes }: Recording): Promise<void> {
  if (rows.length === 0) return
  const characters = rows.map(toStoredCharacter)
  const listValues = <Key extends keyof StoredCharacter>(key: Key) => characters.map((character) => character[key])
  // A row with the same number but another account and name is another character, such as one of another database.
  await sql`
    delete from characters c
    using unnest(${listValues('chaNum')}::bigint[], ${listValues('gameUserNum')}::bigint[], ${listValues('name')}::text[])
      n (cha_num, game_user_num, cha_name)
    where c.cha_num = n.cha_num and (c.game_user_num is null
      or (c.game_user_num <> n.game_user_num and c.cha_name <> n.cha_name))`.execute(tx)
  await recordLevels(
    tx,
    characters.filter(({ hiddenReason }) => hiddenReason === ''),
    { now, showTimes },
  )
  const changedColumns = sql.raw(CHANGED_COLUMNS.join(', '))
  const storedValues = sql.raw(CHANGED_COLUMNS.map((name) => `c.${name}`).join(', '))
  const reportedValues = sql`n.cha_name, n.cha_level, n.cha_class, n.cha_school, n.club, n.kills, n.deaths, n.mmr, n.resu, n.money,
    n.level_up_at, n.game_user_num, n.user_num, n.kept_out, n.odd_name`
  await sql`
    with n as materialized (
      select t.cha_num, t.game_user_num, t.cha_name, t.odd_name = 1 as odd_name, t.cha_class, t.cha_school, t.cha_level,
        nullif(t.club, 0) as club, t.kills, t.deaths, t.mmr, t.resu, t.money, to_timestamp(nullif(t.level_up, 0)) as level_up_at, t.kept_out,
        case when t.kept_out <> 'deleted' then l.user_num end as user_num
      from unnest(${listValues('chaNum')}::bigint[], ${listValues('gameUserNum')}::bigint[], ${listValues('name')}::text[],
        ${listValues('isOddName').map(Number)}::int[], ${listValues('cls')}::text[], ${listValues('school')}::smallint[],
        ${listValues('level')}::int[], ${listValues('kills')}::bigint[], ${listValues('deaths')}::bigint[],
        ${listValues('mmr')}::bigint[], ${listValues('resu')}::bigint[], ${listValues('money')}::bigint[],
        ${listValues('levelUpSeconds')}::bigint[], ${listValues('hiddenReason')}::text[], ${listValues('club')}::bigint[])
        t (cha_num, game_user_num, cha_name, odd_name, cha_class, cha_school, cha_level, kills, deaths, mmr, resu, money,
          level_up, kept_out, club)
      left join game_links l on l.game_user_num = t.game_user_num),
    updated as (
      update characters c set (${changedColumns}) = row(${reportedValues})
      from n where c.cha_num = n.cha_num
        and (${storedValues}) is distinct from (${reportedValues}))
    insert into characters (cha_num, known_since, base_kills, base_deaths, base_resu, start_level, start_mmr, start_money,
      start_kills, start_resu, ${changedColumns})
    select n.cha_num, ${now}::timestamptz, n.kills, n.deaths, n.resu, n.cha_level, n.mmr, n.money, n.kills, n.resu, ${reportedValues}
    from n where not exists (select from characters c where c.cha_num = n.cha_num)`.execute(tx)
}

/**
 * Hides the characters that blocks no longer have: the listed ones and, in a block that was sent complete (`from` is null),
 * all that it does not contain.
 */
async function hideMissingCharacters(tx: Db, blocks: ValidInput<typeof sendCharacters>['blocks']): Promise<void> {
  const completeBlocks = blocks.filter(({ from }) => from === null)
  const missingNums = blocks.flatMap((block) => block.gone)
  if (missingNums.length > 0)
    await sql`
      update characters set kept_out = 'missing', user_num = null
      where cha_num = any(${missingNums}::bigint[]) and game_user_num is not null and kept_out <> 'missing'`.execute(tx)
  if (completeBlocks.length > 0)
    await sql`
      update characters c set kept_out = 'missing', user_num = null
      from unnest(${completeBlocks.map(({ block }) => block)}::bigint[]) n (block)
      where c.cha_num >= n.block * ${sql.lit(CHARACTERS_IN_BLOCK)} and c.cha_num < (n.block + 1) * ${sql.lit(CHARACTERS_IN_BLOCK)}
        and c.game_user_num is not null and c.kept_out <> 'missing'
        and c.cha_num <> all(${completeBlocks.flatMap(({ rows }) => rows.map(([chaNum]) => chaNum))}::bigint[])`.execute(
      tx,
    )
}
