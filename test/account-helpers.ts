import assert from 'node:assert/strict'
import { register } from '#contract/accounts.ts'
import type { User } from '#contract/session.ts'
import { openSession } from '#server/features/accounts/login.ts'
import { hashPassword, hashSecretAnswer } from '#server/features/accounts/passwords.ts'
import { selectForLogin } from '#server/features/accounts/queries.ts'
import { createAccount } from '#server/features/accounts/registration.ts'
import { eraseAccount } from '#server/features/players/erasures.ts'
import type { TestApp } from './helpers.ts'

export type Answer = Awaited<ReturnType<TestApp['get']>>

/** A logged-in player, who calls the app with the session's token. */
export type Player = Awaited<ReturnType<typeof createPlayerClient>>

function createPlayerClient(site: TestApp, token: string, user: User, headers: Record<string, string>) {
  const authHeaders = { ...headers, Authorization: `Bearer ${token}` }
  return {
    token,
    user,
    headers: authHeaders,
    /** The fields by which calls identify their caller (CALL-2, CALL-8). */
    owner: { UserNum: user.UserNum, UserID: user.UserID },
    get: (path: string, extraHeaders: Record<string, string> = {}) =>
      site.get(path, { ...authHeaders, ...extraHeaders }),
    /** Uses the new token of a confirmation for later requests, as a browser does. */
    post: async (path: string, body: unknown = {}, extraHeaders: Record<string, string> = {}) => {
      const answer = await site.post(path, body, { ...authHeaders, ...extraHeaders })
      if (path === '/api/confirmidentity' && answer.status === 200)
        authHeaders.Authorization = `Bearer ${answer.json().token}`
      return answer
    },
  }
}

/** Sends a login. @returns the response, which may be a refusal */
export async function tryLogin(site: TestApp, id: string, password: string, headers: Record<string, string> = {}) {
  const answer = await site.post('/api/processlogin', { UserID: id, UserPass: password }, headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().data as { user: User | null; token: string | null; message: string; status: number }
}

/** Logs in and returns the player to call as. */
export async function logInAs(site: TestApp, id: string, password: string, headers: Record<string, string> = {}) {
  const { user, token, message } = await tryLogin(site, id, password, headers)
  assert.ok(user !== null && token !== null, `${id} cannot log in: ${message}`)
  return createPlayerClient(site, token, user, headers)
}

let registrationCount = 0

/** Returns a valid registration with a new user ID each time. */
export function createRegistration(values: Record<string, unknown> = {}) {
  const userId = typeof values.userId === 'string' ? values.userId : `tester_${++registrationCount}`
  return {
    userId,
    userFirstName: 'Liwayway',
    userLastName: 'Dela Peña',
    userPassword: 'bayani-7',
    userPasswordConfirm: 'bayani-7',
    userEmail: `${userId.toLowerCase().replace(/\W/g, '')}@example.net`,
    secretQuestion: 2,
    secretAnswer: 'Vigan',
    gender: 'Female',
    country: 'PH',
    agreeTerms: true,
    ...values,
  }
}

/** Registers a new player. @returns the sent form */
export async function registerPlayer(site: TestApp, values: Record<string, unknown> = {}) {
  const form = createRegistration(values)
  const answer = await site.post('/api/register', form)
  assert.equal(answer.status, 200, answer.text)
  return form
}

const CALLER = { address: '127.0.0.1', device: '' }

/** Creates an account and a session as registration and login do, without their calls. */
export async function createPlayer(site: TestApp, values: Record<string, unknown> = {}) {
  const form = createRegistration(values)
  const registration = await register.input.body.parseAsync(form)
  const { userPassword, secretAnswer } = registration
  const hashes = {
    password_hash: await hashPassword(userPassword),
    secret_answer_hash: await hashSecretAnswer(secretAnswer),
  }
  const userNum = await site.db
    .transaction()
    .execute((tx) => createAccount({ ...site, db: tx }, registration, hashes, CALLER))
  return { form, ...(await openPlayerSession(site, userNum)) }
}

/**
 * Opens a session for an account without its password, which avoids hashing.
 *
 * @param idOrNumber the user ID or the UserNum
 */
export async function openPlayerSession(site: TestApp, idOrNumber: number | string): Promise<Player> {
  const accountKey = typeof idOrNumber === 'number' ? { userNum: idOrNumber } : { userId: idOrNumber }
  const { token, user, message } = await site.db.transaction().execute(async (tx) => {
    const account = await selectForLogin(tx, accountKey, CALLER, site.now())
    assert.ok(account !== undefined)
    return openSession({ ...site, db: tx }, account, { factor: null, caller: CALLER })
  })
  assert.ok(token !== null && user !== null, message)
  return createPlayerClient(site, token, user, {})
}

/** Erases an account at once, without a request and its grace period. */
export const eraseNow = (site: TestApp, userNum: number, { renameCharacters = false } = {}) =>
  site.db.transaction().execute((tx) => eraseAccount(tx, { userNum, renameCharacters, now: site.clock.now() }))

/** Returns the emails to an address, oldest first. */
export function selectMailsTo(site: TestApp, address: string) {
  return site.db.selectFrom('mail_outbox').where('to_address', '=', address).selectAll().orderBy('mail').execute()
}

/** Returns the token of the link in the newest email to an address whose subject begins with `subject`. */
export async function findLinkToken(site: TestApp, address: string, subject: string): Promise<string> {
  const mail = (await selectMailsTo(site, address)).findLast((mail) => mail.subject.startsWith(subject))
  const token = /\?token=([\w-]+)/.exec(mail?.body_text ?? '')?.[1]
  assert.ok(token !== undefined, `no link for ${address} in '${subject}'`)
  return token
}

/** Asserts a refusal (CALL-7): its status, and the same full sentence in `message` and `error`. */
export function assertRefused(answer: Answer, status: number, message?: string): void {
  assert.equal(answer.status, status, answer.text)
  const body = answer.json()
  assert.equal(body.message, body.error)
  if (message !== undefined) assert.equal(body.message, message)
  assert.match(body.message, /^[A-Z].*[.!]$|^Too many Requests! try again later$/)
  assert.doesNotMatch(answer.text, /Invalid input|Too big|Too small|expected string|Invalid option/)
}

/** Returns every key of a value, at any depth. */
export function listKeys(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => [key, ...listKeys(child)])
}
