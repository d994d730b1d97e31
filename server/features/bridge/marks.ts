import { sql } from 'kysely'
import { MARKS_AT_ONCE, type reportGame, sendMarks } from '#contract/bridge-characters.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { loadSharp } from '../files/pictures.ts'
import { checkLease } from './lease.ts'

/**
 * Compares the versions of the clubs' marks (the emblems from the game) with the stored ones, and removes the marks that
 * clubs no longer have (CLUB-5). A mark that an operator hid stays, so a club cannot show its mark again by changing it.
 *
 * @returns the clubs whose mark differs, at most MARKS_AT_ONCE
 */
export async function compareMarks(
  tx: Db,
  { form, versions }: NonNullable<ValidInput<typeof reportGame>['marks']>,
): Promise<number[]> {
  const reportedVersions = new Map(versions)
  const clubs = [...reportedVersions.keys()]
  await sql`delete from club_marks where hidden_at is null and club <> all(${clubs}::bigint[])`.execute(tx)
  const { rows } = await sql<{ club: number }>`
    select n.club from unnest(${clubs}::bigint[], ${[...reportedVersions.values()]}::bigint[]) n (club, version)
    left join club_marks k on k.club = n.club
    where k.version is distinct from n.version or k.form is distinct from ${form}
    order by n.club limit ${MARKS_AT_ONCE}`.execute(tx)
  return rows.map(({ club }) => Number(club))
}

/**
 * Stores marks as pictures. Stores none while a restore of the game's database waits for an owner's confirmation.
 *
 * @throws Refusal 409 when another agent has taken over, 422 for a mark of a wrong size
 */
export async function storeMarks(
  { db, now }: Deps,
  caller: BridgeCaller,
  { form, marks }: ValidInput<typeof sendMarks>,
): Promise<void> {
  const drawnMarks = await Promise.all(
    marks.map(async ({ club, version, picture }) => ({ club, version, picture: picture && (await drawMark(picture)) })),
  )
  await db.transaction().execute(async (tx) => {
    const isRestoreOpen = await checkLease(tx, caller)
    if (isRestoreOpen || drawnMarks.length === 0) return
    await tx
      .insertInto('club_marks')
      .values([...new Map(drawnMarks.map((mark) => [mark.club, { ...mark, form, read_at: now() }])).values()])
      .onConflict((conflict) =>
        conflict.column('club').doUpdateSet(({ ref }) => ({
          version: ref('excluded.version'),
          form: ref('excluded.form'),
          picture: ref('excluded.picture'),
          read_at: ref('excluded.read_at'),
        })),
      )
      .execute()
  })
}

type MarkPicture = NonNullable<ValidInput<typeof sendMarks>['marks'][number]['picture']>

/** Draws pixels of red, green, blue and opacity as PNG. @throws Refusal 422 for a wrong number of bytes */
export async function drawMark({ width, height, pixels }: MarkPicture): Promise<Uint8Array> {
  const bytes = Buffer.from(pixels, 'base64')
  if (bytes.length !== width * height * 4) throw refuse(sendMarks, 'unevenMark')
  const sharp = await loadSharp()
  return sharp(bytes, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 9 })
    .toBuffer()
}
