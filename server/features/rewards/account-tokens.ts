import type { Db } from '#server/db/open.ts'

/** Returns the random token that identifies an account in links. The database creates it with the account. */
export async function findAccountToken(db: Db, userNum: number): Promise<string> {
  const { word } = await db
    .selectFrom('account_words')
    .where('user_num', '=', userNum)
    .select('word')
    .executeTakeFirstOrThrow()
  return word
}

/** Selects the account of a token. */
export const selectAccountByToken = (db: Db, token: string) =>
  db
    .selectFrom('account_words as w')
    .innerJoin('accounts as a', 'a.user_num', 'w.user_num')
    .where('w.word', '=', token)
    .where('a.erased_at', 'is', null)
    .select('w.user_num')
    .executeTakeFirst()
