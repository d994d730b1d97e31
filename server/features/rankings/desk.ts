import type { ValidInput } from '#contract/endpoint.ts'
import { formatMonth } from '#contract/manila.ts'
import * as calls from '#contract/rankings.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { type CallContext, type MountedCall, mount } from '#server/http/mount.ts'
import {
  changeEntry,
  type Figures,
  findDifferences,
  lockEntry,
  selectCorrections,
  selectEntries,
  selectMonths,
} from './archive.ts'
import { selectCharacters, selectMarks } from './desk-queries.ts'

/** The desk's calls about rankings: hidden characters and marks of clubs, and the months that are closed. */
export const rankingDeskCalls: MountedCall[] = [
  mount(calls.getCharacters, (filters, { deps }) => selectCharacters(deps.browseDb, filters, deps.now())),

  mount(calls.hideCharacter, async ({ cha_num, reason }, { deps: { db: tx, now }, staff, record }) => {
    const character = await findCharacter(tx, cha_num)
    if (character === undefined) throw refuse(calls.hideCharacter, 'characterNotFound')
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('hidden_characters')
      .values({ cha_num, reason, hidden_by: staff.userNum, hidden_at: now() })
      .onConflict((conflict) => conflict.column('cha_num').doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows !== 1n) throw refuse(calls.hideCharacter, 'hidden')
    record({
      target: ['character', cha_num],
      ...toTarget(character),
      before: { hidden: false },
      after: { hidden: true },
      reason,
    })
    return { message: `${character.cha_name} is hidden from the rankings and the search.` }
  }),

  mount(calls.showCharacter, async ({ cha_num, reason }, { deps: { db: tx }, record }) => {
    const hiddenRow = await tx
      .deleteFrom('hidden_characters')
      .where('cha_num', '=', cha_num)
      .returning('reason')
      .executeTakeFirst()
    if (hiddenRow === undefined) throw refuse(calls.showCharacter, 'notHidden')
    const character = await findCharacter(tx, cha_num)
    record({
      target: ['character', cha_num],
      ...toTarget(character),
      before: { hidden: true },
      after: { hidden: false },
      reason,
    })
    return { message: `${character?.cha_name ?? `Character ${cha_num}`} is shown again.` }
  }),

  mount(calls.getMarks, (filters, { deps }) => selectMarks(deps.browseDb, filters)),

  mount(calls.hideMark, async ({ club, reason }, { deps: { db: tx, now }, record }) => {
    const mark = await tx
      .selectFrom('club_marks')
      .where('club', '=', club)
      .select('hidden_at')
      .forUpdate()
      .executeTakeFirst()
    if (mark === undefined) throw refuse(calls.hideMark, 'markNotFound')
    if (mark.hidden_at !== null) throw refuse(calls.hideMark, 'markHidden')
    await tx.updateTable('club_marks').set({ hidden_at: now() }).where('club', '=', club).execute()
    record({ target: ['club', club], before: { hidden: false }, after: { hidden: true }, reason })
    return { message: `The mark of ${await findClubName(tx, club)} is hidden.` }
  }),

  mount(calls.showMark, async ({ club, reason }, { deps: { db: tx }, record }) => {
    const shownMark = await tx
      .updateTable('club_marks')
      .set({ hidden_at: null })
      .where('club', '=', club)
      .where('hidden_at', 'is not', null)
      .returning('club')
      .executeTakeFirst()
    if (shownMark === undefined) throw refuse(calls.showMark, 'markShown')
    record({ target: ['club', club], before: { hidden: true }, after: { hidden: false }, reason })
    return { message: `The mark of ${await findClubName(tx, club)} is shown again.` }
  }),

  mount(calls.getMonths, ({ after }, { deps }) => selectMonths(deps.browseDb, after)),

  mount(calls.getMonth, async ({ period, board }, { deps }) => {
    const month = await deps.browseDb
      .selectFrom('ranking_periods')
      .where('period', '=', period)
      .where('closed_at', 'is not', null)
      .select('period')
      .executeTakeFirst()
    if (month === undefined) throw refuse(calls.getMonth, 'monthNotFound')
    return { rows: await selectEntries(deps.browseDb, { period, board, now: deps.now() }), next: null }
  }),

  mount(calls.correctEntry, async (input, context) => {
    const { period, cha_num, version, reason, ...newFigures } = input
    const tx = context.deps.db
    const entry = await lockEntry(tx, { period, cha_num })
    if (entry === undefined) throw refuse(calls.correctEntry, 'entryNotFound')
    if (entry.version !== version) throw refuse(calls.correctEntry, 'conflict')
    const { before, after } = findDifferences(entry.figures, newFigures satisfies Figures)
    if (Object.keys(after).length === 0) throw refuse(calls.correctEntry, 'same')
    const change = {
      period,
      cha_num,
      reason,
      before,
      after,
      correctedBy: context.staff.userNum,
      now: context.deps.now(),
    }
    const correction = await changeEntry(tx, { ...change, kind: 'corrected' })
    context.record({
      ...(await describeEntryTarget(tx, input)),
      before,
      after: { ...after, month: period },
      reason,
    })
    return { message: `${entry.figures.cha_name} is corrected in ${formatMonth(period)}.`, version: correction }
  }),

  mount(calls.takeOutEntry, async (input, context) => {
    const entry = await lockEntry(context.deps.db, input)
    if (entry === undefined) throw refuse(calls.takeOutEntry, 'entryNotFound')
    if (entry.takenOutAt !== null) throw refuse(calls.takeOutEntry, 'out')
    if (entry.version !== input.version) throw refuse(calls.takeOutEntry, 'conflict')
    const version = await moveEntry(input, context, 'taken out')
    return { message: `${entry.figures.cha_name} is taken out of ${formatMonth(input.period)}.`, version }
  }),

  mount(calls.putBackEntry, async (input, context) => {
    const entry = await lockEntry(context.deps.db, input)
    if (entry === undefined) throw refuse(calls.putBackEntry, 'entryNotFound')
    if (entry.takenOutAt === null) throw refuse(calls.putBackEntry, 'in')
    if (entry.version !== input.version) throw refuse(calls.putBackEntry, 'conflict')
    const version = await moveEntry(input, context, 'put back')
    return { message: `${entry.figures.cha_name} is back in ${formatMonth(input.period)}.`, version }
  }),

  mount(calls.getCorrections, (filters, { deps }) => selectCorrections(deps.browseDb, filters)),
]

/**
 * Takes an entry out of its month or puts it back, and records that in the audit log. @returns the entry's new version
 */
async function moveEntry(
  { period, cha_num, reason }: ValidInput<typeof calls.takeOutEntry>,
  { deps, staff, record }: CallContext<typeof calls.takeOutEntry>,
  kind: 'taken out' | 'put back',
): Promise<number> {
  const { db: tx, now } = deps
  const taken_out = kind === 'taken out'
  const change = { period, cha_num, reason, before: {}, after: {}, correctedBy: staff.userNum, now: now() }
  const version = await changeEntry(tx, { ...change, kind })
  const entryTarget = await describeEntryTarget(tx, { cha_num })
  record({ ...entryTarget, before: { taken_out: !taken_out }, after: { taken_out, month: period }, reason })
  return version
}

const findCharacter = (db: Db, chaNum: number) =>
  db.selectFrom('characters').where('cha_num', '=', chaNum).select(['cha_name', 'user_num']).executeTakeFirst()

async function findClubName(db: Db, club: number): Promise<string> {
  const clubRow = await db.selectFrom('clubs').where('club', '=', club).select('name').executeTakeFirst()
  return clubRow?.name ?? `club ${club}`
}

/** Returns the audit target for the player of a linked character. */
const toTarget = (character: { user_num: number | null } | undefined) =>
  character === undefined || character.user_num === null ? {} : { player: character.user_num }

/** Returns the audit target of an entry: the character, and its player if the site still knows the character. */
async function describeEntryTarget(tx: Db, { cha_num }: { cha_num: number }) {
  const character = await findCharacter(tx, cha_num)
  return {
    target: ['character', cha_num] as const,
    ...toTarget(character),
  }
}
