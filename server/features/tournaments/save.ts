import { saveTournament as saveCall } from '#contract/desk-tournaments.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { toPrize } from '#contract/prizes.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { describePrizes, hasPrizeItems, toOfferRows } from '#server/features/mailbox/prizes.ts'
import { lockTournament, selectOffers, type TournamentRow } from './queries.ts'

type TournamentInput = ValidInput<typeof saveCall>

/**
 * Creates a draft, or changes a tournament. After the draw, changes only its name and text.
 *
 * @returns the tournament's id and version, and the values before and after for the audit log
 * @throws Refusal 404, 409, 422 as the call declares
 */
export async function saveTournament(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  input: TournamentInput,
  createdBy: number,
) {
  const { tournament: existingId, version, prizes, ...fields } = input
  const values = {
    ...fields,
    registration_from: new Date(input.registration_from),
    registration_until: new Date(input.registration_until),
    checkin_from: new Date(input.checkin_from),
    checkin_until: new Date(input.checkin_until),
    starts_at: new Date(input.starts_at),
  }
  if (existingId === null) {
    const { tournament } = await tx
      .insertInto('tournaments')
      .values({ ...values, created_by: createdBy, created_at: now() })
      .returning('tournament')
      .executeTakeFirstOrThrow()
    await writeOffers(tx, tournament, prizes)
    return { tournament, version: 1, before: {}, after: toAuditValues(values, prizes) }
  }
  const row = await lockTournament(tx, existingId)
  if (row === undefined) throw refuse(saveCall, 'tournamentNotFound')
  if (row.version !== version) throw refuse(saveCall, 'conflict')
  if (row.state === 'cancelled') throw refuse(saveCall, 'over')
  const nextVersion = version + 1
  if (row.state === 'drawn' || row.state === 'finalised') {
    const { name, about } = fields
    await tx
      .updateTable('tournaments')
      .set({ name, about, version: nextVersion })
      .where('tournament', '=', existingId)
      .execute()
    return {
      tournament: existingId,
      version: nextVersion,
      before: { name: row.name, about: row.about },
      after: { name, about },
    }
  }
  const { entries } = await tx
    .selectFrom('tournament_entries')
    .where('tournament', '=', existingId)
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  if (Number(entries) > input.max_entries) throw refuse(saveCall, 'tooMany')
  if (Number(entries) > 0 && input.kind !== row.kind) throw refuse(saveCall, 'kind')
  const prizesBefore = (await selectOffers(tx, existingId)).map(toPrize)
  await tx
    .updateTable('tournaments')
    .set({ ...values, version: nextVersion })
    .where('tournament', '=', existingId)
    .execute()
  await tx.deleteFrom('tournament_offers').where('tournament', '=', existingId).execute()
  await writeOffers(tx, existingId, prizes)
  return {
    tournament: existingId,
    version: nextVersion,
    before: toAuditValues(row, prizesBefore),
    after: toAuditValues(values, prizes),
  }
}

async function writeOffers(tx: Db, tournament: number, prizes: TournamentInput['prizes']): Promise<void> {
  if (prizes.length === 0) return
  if (!(await hasPrizeItems(tx, prizes))) throw refuse(saveCall, 'itemNotFound')
  await tx
    .insertInto('tournament_offers')
    .values(toOfferRows(prizes).map((offer) => ({ tournament, ...offer })))
    .execute()
}

const AUDITED_COLUMNS = [
  'name',
  'about',
  'kind',
  'format',
  'third_place',
  'level_from',
  'level_to',
  'max_entries',
  'registration_from',
  'registration_until',
  'checkin_from',
  'checkin_until',
  'starts_at',
] as const

const toAuditValues = (
  row: Pick<TournamentRow, (typeof AUDITED_COLUMNS)[number]>,
  prizes: TournamentInput['prizes'],
) => ({
  ...Object.fromEntries(AUDITED_COLUMNS.map((name) => [name, row[name]])),
  prizes: describePrizes(prizes),
})
