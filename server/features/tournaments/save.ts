import { saveTournament as saveCall } from '#contract/desk-tournaments.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { toPrize } from '#contract/prizes.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { describePrizes, hasPrizeItems, toOfferRows } from '#server/features/mailbox/prizes.ts'
import { lockTournament, selectOffers, type TournamentRow } from './queries.ts'

type Wanted = ValidInput<typeof saveCall>

/**
 * Creates a draft, or changes a tournament. After the draw only its name and its text change.
 *
 * @returns its number and version, and the record for the audit log
 * @throws Refusal 404, 409, 422 as the call declares
 */
export async function saveTournament({ db: tx, now }: Pick<Deps, 'db' | 'now'>, wanted: Wanted, by: number) {
  const { tournament: known, version, prizes, ...fields } = wanted
  const values = {
    ...fields,
    registration_from: new Date(wanted.registration_from),
    registration_until: new Date(wanted.registration_until),
    checkin_from: new Date(wanted.checkin_from),
    checkin_until: new Date(wanted.checkin_until),
    starts_at: new Date(wanted.starts_at),
  }
  if (known === null) {
    const { tournament } = await tx
      .insertInto('tournaments')
      .values({ ...values, created_by: by, created_at: now() })
      .returning('tournament')
      .executeTakeFirstOrThrow()
    await writeOffers(tx, tournament, prizes)
    return { tournament, version: 1, before: {}, after: toFacts(values, prizes) }
  }
  const row = await lockTournament(tx, known)
  if (row === undefined) throw refuse(saveCall, 'tournamentNotFound')
  if (row.version !== version) throw refuse(saveCall, 'conflict')
  if (row.state === 'cancelled') throw refuse(saveCall, 'over')
  const next = version + 1
  if (row.state === 'drawn' || row.state === 'finalised') {
    const { name, about } = fields
    await tx.updateTable('tournaments').set({ name, about, version: next }).where('tournament', '=', known).execute()
    return { tournament: known, version: next, before: { name: row.name, about: row.about }, after: { name, about } }
  }
  const { entries } = await tx
    .selectFrom('tournament_entries')
    .where('tournament', '=', known)
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  if (Number(entries) > wanted.max_entries) throw refuse(saveCall, 'tooMany')
  if (Number(entries) > 0 && wanted.kind !== row.kind) throw refuse(saveCall, 'kind')
  const before = (await selectOffers(tx, known)).map(toPrize)
  await tx
    .updateTable('tournaments')
    .set({ ...values, version: next })
    .where('tournament', '=', known)
    .execute()
  await tx.deleteFrom('tournament_offers').where('tournament', '=', known).execute()
  await writeOffers(tx, known, prizes)
  return { tournament: known, version: next, before: toFacts(row, before), after: toFacts(values, prizes) }
}

async function writeOffers(tx: Db, tournament: number, prizes: Wanted['prizes']): Promise<void> {
  if (prizes.length === 0) return
  if (!(await hasPrizeItems(tx, prizes))) throw refuse(saveCall, 'itemNotFound')
  await tx
    .insertInto('tournament_offers')
    .values(toOfferRows(prizes).map((offer) => ({ tournament, ...offer })))
    .execute()
}

const FACTS = [
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

const toFacts = (row: Pick<TournamentRow, (typeof FACTS)[number]>, prizes: Wanted['prizes']) => ({
  ...Object.fromEntries(FACTS.map((name) => [name, row[name]])),
  prizes: describePrizes(prizes),
})
