import assert from 'node:assert/strict'
import { Hono } from 'hono'
import { DAY_MS } from '#contract/durations.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Db } from '#server/db/open.ts'
import { answerError } from '#server/errors.ts'
import { grantRole } from '#server/features/staff/members.ts'
import { answerRequest } from '#server/http/answer-calls.ts'
import type { MountedCall } from '#server/http/mount.ts'
import { recordOpening } from '#server/http/staff.ts'
import { createPlayer, logInAs, openPlayerSession, type Player } from './account-helpers.ts'
import type { TestApp } from './helpers.ts'

const TWO_DAYS_MS = 2 * DAY_MS

/**
 * Creates a logged-in operator with one role.
 *
 * @param options `hasOpenedDesk`: whether the operator counts as another approver
 */
export async function createOperator(
  site: TestApp,
  role: string,
  roleAgeMs = TWO_DAYS_MS,
  { hasOpenedDesk = true } = {},
) {
  const { user, form } = await createPlayer(site)
  const grantedAt = new Date(site.clock.now().getTime() - roleAgeMs)
  await site.db
    .transaction()
    .execute((tx) => grantRole(tx, { userNum: user.UserNum, role, grantedBy: null, now: grantedAt }))
  if (hasOpenedDesk) await recordOpening(site, user.UserNum)
  // Simulates a later change of the password, because the game may know the previous one.
  const gameAccount = site.db.updateTable('game_accounts').where('user_num', '=', user.UserNum)
  await gameAccount.set({ knows_password: false }).execute()
  return { form, ...(await openPlayerSession(site, user.UserNum)) }
}

/**
 * Accepts every role that an account was offered, with a new password that is strong enough for staff. @returns the
 * player, logged in with it
 */
export async function acceptRoles(site: TestApp, { userId, userPassword }: { userId: string; userPassword: string }) {
  const player = await logInAs(site, userId, userPassword)
  const { offers } = (await player.get('/api/role-offers')).json()
  let currentPassword = userPassword
  for (const { role } of offers) {
    const UserPass = currentPassword
    currentPassword = STAFF_TEST_PASSWORD
    const body = { role, UserPass, ...(UserPass !== currentPassword && { NewUserPass: currentPassword }) }
    const answer = await player.post('/api/role-offers/accept', body)
    assert.equal(answer.status, 200, answer.text)
  }
  return logInAs(site, userId, currentPassword)
}

/** A password that is strong enough for staff. */
export const STAFF_TEST_PASSWORD = 'lawa-bituin-oso'

let roleCount = 0

/** Creates a custom role with these permissions. @returns its short name */
export async function createRole(site: TestApp, ...permissions: Permission[]): Promise<string> {
  const role = `test-role-${++roleCount}`
  await site.db.insertInto('staff_roles').values({ role, name: role, permissions }).execute()
  return role
}

/**
 * Serves a call that a test defines. @returns a function that posts a body as an account and returns status and text
 */
export function serveCall(site: TestApp, mounted: MountedCall) {
  const app = new Hono()
  app.onError((error, c) => answerError(error, c, { log: site.log }))
  app.on(mounted.endpoint.method, mounted.endpoint.path, (c) => answerRequest(site, mounted, c))
  return async (player: Pick<Player, 'headers'>, body: unknown = {}, headers: Record<string, string> = {}) => {
    const answer = await app.request(mounted.endpoint.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...player.headers, ...headers },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) }
  }
}

/** Makes all roles and permissions old enough for approvals. */
export async function backdateRights(db: Db): Promise<void> {
  await db
    .updateTable('staff_members')
    .set({ granted_at: new Date(0) })
    .execute()
  await db
    .updateTable('staff_rights')
    .set({ since: new Date(0) })
    .execute()
}
