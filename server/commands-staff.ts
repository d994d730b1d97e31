import { sql } from 'kysely'
import { OWNER } from '#contract/permissions.ts'
import { type CommandAnswer, fail } from './command-answer.ts'
import type { Db } from './db/open.ts'
import { takeFactorsAway } from './features/accounts/second-factors.ts'
import { makeBridgeCode } from './features/bridge/pairing.ts'
import { grantRole } from './features/staff/members.ts'
import { selectMembers } from './features/staff/queries.ts'
import { writeAudit } from './http/audit.ts'
import type { MailSite } from './mail/templates.ts'

export const STAFF_USAGE = 'staff list; staff owner USERID; staff remove-factor USERID; staff bridge-code'

/**
 * Runs an operator's command about staff. `owner` makes an account an owner, also when it had lost the role or was
 * blocked; `remove-factor` removes its second factors; `bridge-code` makes a code that pairs a bridge.
 */
export async function runStaffCommand(
  { db, now, site }: { db: Db; now: Date; site: MailSite },
  words: string[],
): Promise<CommandAnswer> {
  const [verb, userId = '', ...more] = words
  if (verb === 'list' && userId === '') return list(db)
  if (verb === 'bridge-code' && userId === '') return makeCode(db, now)
  if ((verb !== 'owner' && verb !== 'remove-factor') || userId === '' || more.length > 0)
    return fail(`Usage: ${STAFF_USAGE}`)
  return db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('accounts')
      .where(sql`lower(user_id)`, '=', userId.toLowerCase())
      .select(['user_num', 'user_id', 'user_email', 'user_type'])
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (account === undefined)
      return fail(`There is no account ${userId}. Register it on the site first, then run this again.`)
    const { user_num: userNum, user_id: name } = account
    const [before] = await selectMembers(tx, userNum)
    const roles = before?.roles.map(({ role }) => role) ?? []
    if (verb === 'owner') {
      await tx
        .updateTable('account_blocks')
        .set({ lifted_at: now })
        .where('user_num', '=', userNum)
        .where('lifted_at', 'is', null)
        .execute()
      await tx
        .updateTable('accounts')
        .set({ blocked_at: null, blocked_until: null })
        .where('user_num', '=', userNum)
        .execute()
      await grantRole(tx, { userNum, role: OWNER, grantedBy: null, now })
    } else {
      await takeFactorsAway(tx, account, { site, caller: { address: '', device: 'Support' }, now })
    }
    const [after] = await selectMembers(tx, userNum)
    await writeAudit(tx, {
      at: now,
      actor: { kind: 'command', name: 'staff' },
      action: `staff ${verb}`,
      target: ['staff', userNum],
      player: userNum,
      before: { roles, second_factor: before?.has_factor ?? false },
      after: { roles: after?.roles.map(({ role }) => role) ?? [], second_factor: after?.has_factor ?? false },
    })
    const line =
      verb === 'owner'
        ? `${name} is now an owner of the desk. They log in as usual and open /admin.`
        : `${name} no longer has a second factor. They can set up a new one on their account page.`
    return { ok: true, lines: [line] }
  })
}

/** The code alone is the last line, for programs. */
async function makeCode(db: Db, now: Date): Promise<CommandAnswer> {
  const code = await db.transaction().execute(async (tx) => {
    const made = await makeBridgeCode(tx, { madeBy: null, now })
    await writeAudit(tx, {
      at: now,
      actor: { kind: 'command', name: 'staff' },
      action: 'staff bridge-code',
      target: ['bridge code', made.number],
      after: { 'good until': made.endsAt.toISOString() },
    })
    return made.code
  })
  return { ok: true, lines: ['This code pairs one bridge within ten minutes and is not shown again:', code] }
}

async function list(db: Db): Promise<CommandAnswer> {
  const members = await selectMembers(db)
  if (members.length === 0)
    return { ok: true, lines: ['Nobody works at the desk yet: staff owner USERID makes the first owner.'] }
  return {
    ok: true,
    lines: members.map(({ user_id, roles, has_factor }) =>
      [user_id, roles.map(({ role }) => role).join(', '), has_factor ? 'second factor' : 'no second factor'].join('\t'),
    ),
  }
}
