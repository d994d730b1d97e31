import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '#server/db/open.ts'
import type { LoginAnswer } from '#server/features/accounts/login.ts'
import type { Player } from './account-helpers.ts'
import { createAuthenticator } from './authenticator.ts'
import type { TestApp } from './helpers.ts'

/** Returns the code that an authenticator app shows for a secret. */
export const generateCode = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })

/** Returns whether an account has a second factor. Recovery codes alone do not count. */
export async function hasFactor(db: Db, userNum: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from account_factors where user_num = ${userNum}) as has`.execute(db)
  return rows[0]?.has === true
}

/** Sets up an authenticator app as a player does. */
export async function addAuthenticatorApp(site: TestApp, player: Pick<Player, 'post'>) {
  const { secret } = (await player.post('/api/factors/totp')).json()
  const response = await player.post('/api/factors/totp/confirm', { code: generateCode(secret, site.clock.now()) })
  assert.equal(response.status, 200, response.text)
  const { id, recovery_codes } = response.json() as { id: number; recovery_codes: string[] | null }
  return {
    id,
    recoveryCodes: recovery_codes ?? [],
    secret,
    /** Advances the clock by half a minute and returns the app's code, which is unused then. */
    nextCode: () => {
      site.clock.advance(30_000)
      return generateCode(secret, site.clock.now())
    },
  }
}

/** Adds a passkey as a player's browser does. */
export async function addPasskey(site: TestApp, player: Pick<Player, 'post'>, name = 'My phone') {
  const authenticator = createAuthenticator(site.publicUrl)
  const { options } = (await player.post('/api/factors/passkey/options')).json()
  const credential = authenticator.register(options.challenge)
  const response = await player.post('/api/factors/passkey', { name, credential })
  assert.equal(response.status, 200, response.text)
  const { id, recovery_codes } = response.json() as { id: number; recovery_codes: string[] | null }
  return { ...authenticator, factor: id, recoveryCodes: recovery_codes ?? [] }
}

/** Sends the second step of a login. @returns the data of the response, which may be a refusal */
export async function tryFactor(site: TestApp, body: object, headers: Record<string, string> = {}) {
  const answer = await site.post('/api/login-factor', body, headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().data as LoginAnswer
}
