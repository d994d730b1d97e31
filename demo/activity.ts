import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { findClassByCode } from '#contract/game.ts'
import { toManilaDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { recordActivity, recordSiteEvents } from '#server/features/activity/record.ts'
import { isRanked } from '#server/features/rankings/queries.ts'
import { subtractMs, type World } from './world.ts'

/** The number of characters that have recently reached a level. */
const LEVELS = 36
const DAYS = 45

/** Inserts the activity of the last 45 days: wars, news, events and level-ups, and this month's records. */
export async function insertActivity(tx: Db, { now }: World): Promise<void> {
  const characters = await tx
    .selectFrom('characters as c')
    .leftJoin('accounts as a', 'a.user_num', 'c.user_num')
    .where(isRanked(now))
    .where('c.cha_level', '>', 20)
    .select(['c.cha_num', 'c.cha_level', 'c.cha_class'])
    .orderBy('c.cha_level', 'desc')
    .orderBy('c.cha_num')
    .limit(400)
    .execute()
  const firstByClass = new Map<string, number>()
  for (const { cha_num, cha_class } of characters) {
    const cls = findClassByCode(cha_class)
    if (cls !== undefined && !firstByClass.has(cls)) firstByClass.set(cls, cha_num)
  }
  const shownCharacters = [
    ...characters.filter(({ cha_num }) => [...firstByClass.values()].includes(cha_num)),
    ...characters.filter((_, index) => index % Math.ceil(characters.length / LEVELS) === 7),
  ]
  const rows = shownCharacters.map(({ cha_num, cha_level, cha_class }, index) => {
    const cls = findClassByCode(cha_class) ?? ''
    const isFirst = firstByClass.get(cls) === cha_num
    return {
      at: subtractMs(
        now,
        7 * HOUR_MS + ((index * 11) % shownCharacters.length) * ((DAYS * DAY_MS) / shownCharacters.length),
      ),
      kind: isFirst ? ('first' as const) : ('level' as const),
      cha_num,
      level: isFirst ? cha_level : Math.floor(cha_level / 10) * 10,
      class: isFirst ? cls : null,
    }
  })
  let sinceTime = subtractMs(now, DAYS * DAY_MS)
  for (const { at, ...row } of rows.sort((a, b) => a.at.getTime() - b.at.getTime())) {
    await recordSiteEvents(tx, sinceTime, at)
    await tx
      .insertInto('activity')
      .values({ ...row, day: toManilaDay(at), happened_at: null })
      .onConflict((oc) => oc.doNothing())
      .execute()
    sinceTime = at
  }
  await recordActivity(tx, { now, showTimes: false })
}
