import type { GameConfig } from './config.ts'
import { type GameConnection, toNumber, toText } from './game/driver.ts'
import type { ResolvedTable } from './game/names.ts'

/** How many accounts the advice names for each reason. */
const LISTED_MAX = 20

type Undeliverable = {
  /** The reason why these accounts get no deliveries, as the end of a sentence. */
  reason: string
  count: number
  listedAccounts: string[]
}

/**
 * Finds accounts whose name is too long for the column UserUID of purchases, or shared with another account.
 *
 * @param length the maximum length of UserUID in characters; null for no limit
 */
export async function findUndeliverable(
  user: GameConnection,
  { table, columns: c }: ResolvedTable<'UserInfo'>,
  { userUid }: Pick<GameConfig, 'userUid'>,
  length: number | null,
): Promise<Undeliverable[]> {
  if (userUid === 'UserNum') return []
  const name = `u.${c[userUid]}`
  const isMssql = user.dialect === 'mssql'
  const [top, limit] = isMssql ? [`top (${LISTED_MAX}) `, ''] : ['', ` limit ${LISTED_MAX}`]
  const measure = isMssql ? `len(${name})` : `char_length(rtrim(${name}))`
  const emptyCondition = `coalesce(${measure}, 0) = 0`
  const find = async (reason: string, columns: string, clauses: string, source: string): Promise<Undeliverable[]> => {
    const [row] = await user.query(`select count(*) as found from ${source}`)
    const count = toNumber(row?.found) ?? 0
    if (count === 0) return []
    const accounts = await user.query(`select ${top}${columns} from ${table} u ${clauses}${limit}`)
    return [
      {
        reason,
        count,
        listedAccounts: accounts.map(({ usernum, uid }) => `${toText(uid) || '(none)'} (${toText(usernum)})`),
      },
    ]
  }
  const uidColumns = `u.${c.UserNum} as usernum, ${name} as uid`
  const findByCondition = (reason: string, condition: string) =>
    find(reason, uidColumns, `where ${condition} order by u.${c.UserNum}`, `${table} u where ${condition}`)
  const sharedUids = `where not (${emptyCondition}) group by rtrim(${name}) having count(*) > 1`
  return [
    ...(await findByCondition(`no ${userUid}`, emptyCondition)),
    ...(length === null
      ? []
      : await findByCondition(`a ${userUid} of more than ${length} characters`, `${measure} > ${length}`)),
    ...(await find(
      `a ${userUid} that another account has too, as the game compares names`,
      `min(u.${c.UserNum}) as usernum, min(${name}) as uid`,
      `${sharedUids} order by min(u.${c.UserNum})`,
      `(select count(*) as times from ${table} u ${sharedUids}) s`,
    )),
  ]
}

/** Describes undeliverable accounts for the operator. */
export const listUndeliverable = (undeliverable: readonly Undeliverable[]) =>
  undeliverable.map(({ reason, count, listedAccounts }) => ({
    what: `Nothing can be delivered to ${count === 1 ? '1 account' : `${count.toLocaleString('en-US')} accounts`} with ${reason}.`,
    advice: `Rename them in the game before their players buy something: ${listedAccounts.join(', ')}${count > listedAccounts.length ? ' and others' : ''}.`,
  }))
