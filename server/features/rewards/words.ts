import { randomBytes } from 'node:crypto'
import type { Db } from '#server/db/open.ts'

/** The random word that stands for an account in links; made the first time. Letters and digits, which every list takes. */
export async function wordOf(db: Db, userNum: number): Promise<string> {
  await db
    .insertInto('account_words')
    .values({ user_num: userNum, word: randomBytes(10).toString('hex') })
    .onConflict((conflict) => conflict.column('user_num').doNothing())
    .execute()
  const { word } = await db
    .selectFrom('account_words')
    .where('user_num', '=', userNum)
    .select('word')
    .executeTakeFirstOrThrow()
  return word
}

/** The account that a word stands for. */
export const selectByWord = (db: Db, word: string) =>
  db
    .selectFrom('account_words as w')
    .innerJoin('accounts as a', 'a.user_num', 'w.user_num')
    .where('w.word', '=', word)
    .where('a.erased_at', 'is', null)
    .select('w.user_num')
    .executeTakeFirst()
