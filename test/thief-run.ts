import { generateKeyPairSync } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import sharp from 'sharp'
import { getPublicPart } from '#bridge/keys.ts'
import { createSiteCall, SiteRefusal } from '#bridge/site.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { type Endpoint, formatCallName, isStaffAccess } from '#contract/endpoint.ts'
import { toManilaDay } from '#contract/manila.ts'
import { ORIGINAL_COLORS } from '#contract/theme-colors.ts'
import { CALLS } from '#server/api.ts'
import { eraseDueAccounts } from '#server/features/players/erasures.ts'
import { giveStarters } from '#server/features/rewards/starter.ts'
import { hashToken } from '#server/http/tokens.ts'
import { tryLogin } from './account-helpers.ts'
import { sendCall } from './calls.ts'
import { generateCode } from './factor-helpers.ts'
import { type Books, checkBooks, type Finding, findSecrets, openBooks } from './thief-books.ts'
import { ID_COLUMNS, isLookup, type Lookup, listFields, matchesSchema, VERSIONED_ROWS } from './thief-inputs.ts'
import { isRingAddress, type Name, RING, type ThiefRoles, type ThiefWorld } from './thief-world.ts'

const A_THEME = JSON.stringify({ format: 1, title: 'Ring', colors: ORIGINAL_COLORS, pictures: {} })

/** One event: an account's call, a passage of time, or a visit by an honest person. */
export type Step =
  | { do: 'call'; who: Name | 'bridge'; call: string; input: Record<string, unknown> }
  | { do: 'wait'; minutes: number }
  | { do: 'visit'; who: Name }

export type StepResult = { status: number; endpoint?: Endpoint; text: string }

/** The password that the ring sets for stolen accounts and for the thief's account. */
const STOLEN_PASSWORD = 'stolen-password'

const isRingMember = (name: string) => (RING as readonly string[]).includes(name)

const ENDPOINTS = new Map(CALLS.map(({ endpoint }) => [formatCallName(endpoint), endpoint]))

/**
 * Starts a run of one thief in a fresh world. It takes steps, learns from every response, and checks the books after
 * each step.
 */
export async function startRun(world: ThiefWorld, guise: ThiefRoles) {
  const site = await world.begin(guise)
  const startedAt = site.clock.now().getTime()
  const signingPair = generateKeyPairSync('ed25519')
  const seal = generateKeyPairSync('x25519')
  const tokens = new Map<string, string>(
    [...world.people].flatMap(([name, { token }]) => (isRingMember(name) ? [[name, token]] : [])),
  )
  const seenValues = new Map<string, unknown[]>()
  let { lastMail } = await site.db
    .selectFrom('mail_outbox')
    .select((eb) => eb.fn.coalesce(eb.fn.max('mail'), sql<number>`0`).as('lastMail'))
    .executeTakeFirstOrThrow()
  const books: Books = await openBooks(site, world, {
    sealKey: seal.privateKey,
    signKey: getPublicPart(signingPair.publicKey),
  })

  const findPerson = (name: string) => {
    const person = world.people.get(name as Name)
    if (person === undefined) throw new Error(`There is no person called ${name}.`)
    return person
  }
  let hasReset = false
  let hasBridge = false
  let lastResult: StepResult = { status: 0, text: '' }
  let hasRequestedApproval = false
  let wasRefusedAsTooNew = false
  let isVisitDue = false
  let nextSecretIndex = 0
  const newRights = new Set<string>()
  let lastRewardDay = ''
  /** The addresses and secrets of vote lists that the ring was shown. */
  const voteLists: { site: number; address: string; secret: string | null }[] = []
  const useCounts = new Map<string, number>()
  const learnedCounts = new Map<string, number>()
  /** Returns the ring and the accounts whose sessions it has. */
  const listTokens = () => new Set<Name>([...RING, ...([...tokens.keys()] as Name[])])
  const storeSeenValue = (lookupName: string, value: unknown) => {
    seenValues.set(lookupName, [value, ...(seenValues.get(lookupName) ?? [])].slice(0, 20))
    learnedCounts.set(lookupName, (learnedCounts.get(lookupName) ?? 0) + 1)
  }

  /** Stores useful values of a response: codes, tokens, addresses of pictures. */
  function collectValues(value: unknown, key = ''): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 20)) collectValues(item, key)
    else if (typeof value === 'object' && value !== null)
      for (const [name, child] of Object.entries(value)) collectValues(child, name)
    else if (typeof value === 'string' && /^(codes?|token|challenge|key|url|checked|template)$/.test(key))
      storeSeenValue(`seen ${key}`, value)
  }

  async function readMail(): Promise<void> {
    const newMails = await site.db
      .selectFrom('mail_outbox')
      .where('mail', '>', lastMail)
      .select(['mail', 'to_address', 'body_text'])
      .orderBy('mail')
      .execute()
    for (const { mail, to_address, body_text } of newMails) {
      lastMail = mail
      const token = /[?#&]token=([\w-]+)/.exec(body_text)?.[1]
      if (token !== undefined && isRingAddress(to_address)) storeSeenValue('mailed token', token)
      if (token !== undefined && !isRingAddress(to_address)) books.honestSecrets.push(token)
    }
  }

  /** Returns the passwords that the ring can try for an account. */
  const listPasswords = (name: string) => [...(isRingMember(name) ? [findPerson(name).password] : []), STOLEN_PASSWORD]

  async function logIn(name: string): Promise<string | undefined> {
    const { userId } = findPerson(name)
    for (const password of listPasswords(name)) {
      const { token } = await tryLogin(site, userId, password)
      if (token === null) continue
      tokens.set(name, token)
      return token
    }
    return undefined
  }

  /** Returns the value of a lookup; undefined if the ring has not seen one. */
  async function lookUp({ name: lookupName, nth }: Lookup, who: string): Promise<unknown> {
    const [valueName, ownerName] = lookupName.split(' of ')
    if (ownerName !== undefined && valueName === 'number') return findPerson(ownerName).userNum
    if (ownerName !== undefined && valueName === 'character') return findPerson(ownerName).chaNum
    if (ownerName !== undefined && valueName === 'order') return `${findPerson(ownerName).userNum}-1`
    if (lookupName === 'own number') return findPerson(who).userNum
    if (lookupName === 'own user id') return findPerson(who).userId
    if (lookupName === 'own password') return findPerson(who).password
    if (lookupName === 'own folder') return world.folder
    if (lookupName === 'mail port') return world.mailPort
    if (lookupName === 'own sign key') return getPublicPart(signingPair.publicKey)
    if (lookupName === 'own seal key') return getPublicPart(seal.publicKey)
    if (ownerName !== undefined && valueName === 'reward version') {
      const source = site.db.selectFrom('reward_sources').where(sql`source`, '=', ownerName).select('version')
      return (await source.executeTakeFirstOrThrow()).version
    }
    const idColumn = ID_COLUMNS[lookupName]
    if (idColumn === undefined) return seenValues.get(lookupName)?.[nth]
    const [table, column] = idColumn
    const { rows } = await sql<{ value: unknown }>`
      select ${sql.ref(column)} as value from ${sql.table(table)} order by ${sql.ref(column)} desc limit ${nth + 1}`.execute(
      site.db,
    )
    // The id of a missing object is also worth a try.
    return rows.at(-1)?.value ?? (lookupName === 'ticket' ? 'T-7KQX-M2PD' : 1)
  }

  /** Returns the value of a lookup such as `its version`: a column of the row that the input's other fields identify. */
  async function lookUpRecord(
    lookupName: string,
    endpoint: Endpoint,
    input: Record<string, unknown>,
  ): Promise<unknown> {
    const [, field = '', table = '', key = ''] = VERSIONED_ROWS.find(([path]) => path.test(endpoint.path)) ?? []
    const readCell = async (table: string, column: string, key: string, id: unknown) => {
      const { rows } = await sql<{ value: unknown }>`
        select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(key)}::text = ${String(id)}`.execute(
        site.db,
      )
      // A new object has no version yet, which calls express as null or 0.
      return rows[0]?.value ?? (matchesSchema(listFields(endpoint)[column] ?? {}, null) ? null : 0)
    }
    switch (lookupName) {
      case 'its version':
        return table === '' ? 1 : readCell(table, 'version', key, input[field])
      case 'its hash':
        return readCell('approvals', 'content_hash', 'approval', input.approval)
      case 'its email':
        return readCell('accounts', 'user_email', 'user_num', input.user_num)
      case 'its user id':
        return readCell('accounts', 'user_id', 'user_num', input.user_num)
      case 'its block':
        return readCell('account_blocks', 'block', 'user_num', input.user_num)
      default:
        return undefined
    }
  }

  const MISSING = Symbol('missing')
  /** Resolves the lookups in a value at any depth; MISSING if an object is missing. */
  async function resolveLookups(value: unknown, who: string): Promise<unknown> {
    if (isLookup(value)) return value.name.startsWith('its ') ? value : ((await lookUp(value, who)) ?? MISSING)
    if (Array.isArray(value)) {
      const items = await Promise.all(value.map((item) => resolveLookups(item, who)))
      return items.includes(MISSING) ? MISSING : items
    }
    const isFile = (input: object) => 'file' in input && typeof input.file === 'string'
    if (typeof value !== 'object' || value === null || isFile(value)) return value
    const entries = await Promise.all(
      Object.entries(value).map(async ([key, child]) => [key, await resolveLookups(child, who)] as const),
    )
    return entries.some(([, child]) => child === MISSING) ? MISSING : Object.fromEntries(entries)
  }

  /** Resolves the lookups in a call's input; undefined for a missing object. */
  async function lookUpAll(endpoint: Endpoint, input: Record<string, unknown>, who: string) {
    const resolvedValue = await resolveLookups(input, who)
    if (resolvedValue === MISSING) return undefined
    const resolvedInput = resolvedValue as Record<string, unknown>
    for (const [field, value] of Object.entries(resolvedInput))
      if (isLookup(value)) resolvedInput[field] = await lookUpRecord(value.name, endpoint, resolvedInput)
    return resolvedInput
  }

  async function takeCall({ who, call, input }: Extract<Step, { do: 'call' }>): Promise<StepResult> {
    const endpoint = ENDPOINTS.get(call)
    const resolvedInput = endpoint && (await lookUpAll(endpoint, input, who))
    if (endpoint === undefined || resolvedInput === undefined) return { status: 0, text: 'nothing to try it with' }
    if (who === 'bridge') return takeBridgeCall(endpoint, resolvedInput)
    const firstResponse = await send(endpoint, resolvedInput, who)
    const { status, text } = firstResponse
    const isForgotten = status === 401 && tokens.delete(who)
    const isUnconfirmed = status === 403 && text.includes('"sudo"') && (await confirmIdentity(who))
    return isForgotten || isUnconfirmed ? send(endpoint, resolvedInput, who) : firstResponse
  }

  async function confirmIdentity(who: string): Promise<boolean> {
    for (const UserPass of listPasswords(who)) {
      const answer = await site.post('/api/confirmidentity', { UserPass }, getHeaders(who))
      if (answer.status !== 200) continue
      const token = answer.json().token
      if (typeof token === 'string') tokens.set(who, token)
      return true
    }
    return false
  }

  const getHeaders = (who: string): Record<string, string> => {
    const token = tokens.get(who)
    return token === undefined ? {} : { Authorization: `Bearer ${token}` }
  }

  async function send(
    endpoint: Endpoint,
    input: Record<string, unknown>,
    who: string,
    headers: Record<string, string> = {},
  ): Promise<StepResult> {
    if (endpoint.access !== 'public' && !tokens.has(who)) await logIn(who)
    const answer = await sendCall(site, endpoint, await attachFiles(input), { ...getHeaders(who), ...headers })
    const isJson = answer.headers.get('Content-Type')?.includes('json')
    if (endpoint.path === '/admin/rewards/votes/connect' && answer.status === 200) voteLists.push(answer.json())
    if (isJson && answer.status < 300) collectValues(answer.json())
    if (endpoint.path === '/resetpassword' && answer.status === 200) hasReset = true
    if (endpoint.path === '/bridge/pair' && answer.status === 200) hasBridge = true
    const loginAnswer =
      isJson && answer.status === 200 && /"token":"[\w-]{20,}/.test(answer.text) ? answer.json().data : undefined
    if (loginAnswer?.user?.UserID !== undefined && world.people.has(loginAnswer.user.UserID))
      tokens.set(loginAnswer.user.UserID, loginAnswer.token)
    return { status: answer.status, endpoint, text: answer.text }
  }

  /** Replaces the descriptions of files in an input with the files. */
  const attachFiles = async (input: Record<string, unknown>) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(input).map(async ([field, value]) => [
          field,
          Array.isArray(value) ? await Promise.all(value.map(resolvePart)) : await resolvePart(value),
        ]),
      ),
    )

  /** Returns a file in place of its description `{ file }`: captions, a theme, the shop's items as CSV, or a picture. */
  const resolvePart = async (value: unknown): Promise<unknown> => {
    if (typeof value !== 'object' || value === null || !('file' in value)) return value
    if (value.file === 'captions')
      return new File(['WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n'], 'a.vtt', { type: 'text/vtt' })
    if (value.file === 'look') return new File([new Uint8Array(zipSync({ 'look.json': strToU8(A_THEME) }))], 'look.zip')
    if (value.file !== 'file') return new File([await drawPicture()], 'a.png', { type: 'image/png' })
    const csv = await site.send('/api/admin/items/csv', { headers: getHeaders('thief') })
    const price = 'price' in value ? String(value.price) : '100'
    const lines = csv.text.split('\r\n')
    const column = lines[0]?.split(',').findIndex((name) => /price/i.test(name)) ?? -1
    const rows = lines.map((line, row) =>
      row === 0 || line === '' ? line : line.split(',').with(column, price).join(','),
    )
    return new File([rows.join('\r\n')], 'items.csv', { type: 'text/csv' })
  }

  async function takeBridgeCall(endpoint: Endpoint, input: Record<string, unknown>): Promise<StepResult> {
    const bridge = await books.findBridge()
    if (bridge === undefined) return { status: 0, text: 'no bridge' }
    const call = createSiteCall({
      site: new URL(site.publicUrl).origin,
      bridge,
      signKey: signingPair.privateKey,
      instance: 'ring-instance-0001',
      now: site.clock.now,
      fetch: (url, init) =>
        site.app.fetch(new Request(url as string, { ...init, redirect: 'manual' })) as Promise<Response>,
    })
    try {
      const answer = await call(endpoint, input as never)
      if (endpoint.path === '/bridge/start') isVisitDue = true
      return { status: 200, endpoint, text: JSON.stringify(answer) }
    } catch (error) {
      return { status: error instanceof SiteRefusal ? error.status : 500, endpoint, text: String(error) }
    }
  }

  /**
   * Logs in an honest person, which may send the password to a bridge, and undoes the changes reported in the mail. Anna
   * also approves requests that are only about the rich player's money, unless they name a member of the ring.
   */
  async function visit(name: Name): Promise<void> {
    isVisitDue = false
    const { userId, password, secret } = findPerson(name)
    const answer = await tryLogin(site, userId, password)
    const { token, challenge } = { challenge: null, ...answer }
    if (name === 'anna' && token !== null) await approveHarmless(token)
    if (secret !== undefined && challenge)
      await site.post('/api/login-factor', { challenge, code: generateCode(secret, site.clock.now()) })
    await undoChanges()
  }

  /**
   * Lets honest people read their mail and stop the changes that it reports: another address, the erasure of their
   * account.
   */
  async function undoChanges(): Promise<void> {
    for (; nextSecretIndex < books.honestSecrets.length; nextSecretIndex++) {
      const token = books.honestSecrets[nextSecretIndex]
      await site.post('/api/undoemail', { token })
      await site.send(`/keepaccount?token=${token}`, { method: 'POST' })
    }
  }

  /** Approves the waiting requests that are only about the rich player's money, unless they name a member of the ring. */
  async function approveHarmless(token: string): Promise<void> {
    const richNumber = findPerson('rich').userNum
    const waitingApprovals = await site.db.selectFrom('approvals').where('state', '=', 'waiting').selectAll().execute()
    for (const { approval, content_hash, amount, accounts, effect } of waitingApprovals) {
      const namesRing = RING.some((one) => JSON.stringify(effect).includes(String(findPerson(one).userNum)))
      if (amount === null || accounts.length === 0 || namesRing || accounts.some((one) => one !== richNumber)) continue
      const body = { approval, decision: 'approve', content_hash, note: '' }
      await site.post('/api/admin/approvals/decide', body, { Authorization: `Bearer ${token}` })
    }
  }

  /**
   * Takes every reward that the ring can get now: the daily one, the one for a whole day of playing, and one for a forged
   * vote on each list whose address it was shown.
   */
  async function takeRewards(): Promise<void> {
    const today = toManilaDay(site.clock.now())
    const isNewDay = today !== lastRewardDay
    lastRewardDay = today
    for (const name of RING) {
      const { userNum } = findPerson(name)
      if (isNewDay) {
        await sql`insert into last_played (user_num, played_on) values (${userNum}, ${today}::date)
          on conflict (user_num) do update set played_on = excluded.played_on`.execute(site.db)
        await site.post('/api/daily/claim', {}, getHeaders(name))
        await sql`insert into play_days (user_num, day, minutes, seen_at)
          values (${userNum}, ${today}::date, 1440, ${site.clock.now()}) on conflict do nothing`.execute(site.db)
      }
      await site.post('/api/playtime/claim', {}, getHeaders(name))
      if (voteLists.length === 0) continue
      const dailyWord = await site.db
        .selectFrom('account_words')
        .where('user_num', '=', userNum)
        .select('word')
        .executeTakeFirst()
      for (const { site: number, address, secret } of voteLists) {
        const list = await site.db.selectFrom('vote_sites').where('site', '=', number).selectAll().executeTakeFirst()
        if (list === undefined || dailyWord === undefined) continue
        const fields = {
          [list.account_field.split(',')[0] ?? '']: dailyWord.word,
          [list.secret_field]: secret ?? '',
          [list.voted_field]: list.voted_value,
        }
        await site.post(new URL(address).pathname, fields)
      }
    }
  }

  /** Lets time pass. The ring takes its rewards hour by hour, and the site's jobs run. */
  async function waitMinutes(minutes: number): Promise<void> {
    for (let remainingMinutes = minutes; remainingMinutes > 0; remainingMinutes -= 60) {
      site.clock.advance(Math.min(60, remainingMinutes) * MINUTE_MS)
      await takeRewards()
    }
    await giveStarters(site)
    await eraseDueAccounts(site.db, site.clock.now())
  }

  async function takeStep(step: Step): Promise<StepResult> {
    let result: StepResult = { status: 200, text: '' }
    if (step.do === 'wait') {
      // Honest people read their mail, and undo reported changes, before a wait of more than an hour.
      if (step.minutes > 60) await undoChanges()
      await waitMinutes(step.minutes)
    } else if (step.do === 'call') result = await takeCall(step)
    else await visit(step.who)
    await readMail()
    return result
  }

  return {
    site,
    books,
    takeStep,
    lookUpAll,
    send,
    /** Takes a step and checks its effects. @returns the new violations */
    async take(step: Step): Promise<Finding[]> {
      const result = await takeStep(step)
      lastResult = result
      const { status, endpoint, text } = result
      const caller = step.do === 'call' ? step.who : undefined
      const token = caller === undefined ? undefined : tokens.get(caller)
      wasRefusedAsTooNew =
        (status === 403 && /day old|more than a day/.test(text)) || (wasRefusedAsTooNew && step.do !== 'wait')
      if (step.do === 'call' && status === 202) hasRequestedApproval = true
      // Skips the check after calls that should change nothing. The check after a later step finds a change that they make.
      const hasChanged = step.do !== 'call' || (status === 200 && endpoint?.method !== 'GET')
      if (!hasChanged) return findSecrets(books, text)
      const before = books.before.rights
      const findings = await checkBooks(books, {
        call: step.do === 'call' ? step.call : step.do,
        isApproved: step.do === 'visit',
        text,
        isDesk: endpoint !== undefined && isStaffAccess(endpoint.access),
        tokenHash: token === undefined ? undefined : hashToken(token),
        stolen: [...tokens.keys()].filter((name) => !isRingMember(name)),
      })
      for (const [userNum, rights] of books.before.rights)
        for (const right of rights) if (!before.get(userNum)?.has(right)) newRights.add(right)
      return findings
    },
    get lastResult() {
      return lastResult
    },
    newRights,
    /** Whether at least 20 hours have passed since the start. */
    get hasWaited() {
      return site.clock.now().getTime() - startedAt > 20 * HOUR_MS
    },
    /** The honest owners who can still open the desk, or both owners if neither can. */
    get ableOwners(): Name[] {
      const remainingOwners = (['maria', 'jose'] as const).filter((name) => {
        const { block, roles } = books.before.facts.get(findPerson(name).userNum) ?? {}
        return block === false && JSON.stringify(roles).includes('owner')
      })
      return remainingOwners.length > 0 ? remainingOwners : ['maria', 'jose']
    },
    getFlags: () => ({
      hasRequestedApproval,
      wasRefusedAsTooNew,
      isVisitDue,
      mayApprove:
        [...books.before.rights.values()].filter((rights) => rights.has('approvals.decide')).length >
        (books.before.rights.get(findPerson('thief').userNum)?.has('approvals.decide') ? 1 : 0),
    }),
    /** Returns whether the ring has seen a value that it rarely tried, and counts one more try. */
    hasNewValue(lookupName: string): boolean {
      const useCount = (useCounts.get(lookupName) ?? 0) + 1
      useCounts.set(lookupName, useCount)
      return seenValues.has(lookupName) && useCount < 20 * (learnedCounts.get(lookupName) ?? 1)
    },
    hasSeen: (lookupName: string) => seenValues.has(lookupName),
    get hasReset() {
      return hasReset
    },
    /** Whether the last call changed a source of rewards, which pays as time passes. */
    get hasChangedRewards() {
      return lastResult.status === 200 && lastResult.endpoint?.path.startsWith('/admin/rewards/') === true
    },
    get hasBridge() {
      return hasBridge
    },
    get mayClaim() {
      return books.before.claimable > 0
    },
    /**
     * Returns the members of the ring and its stolen accounts that can make a call of the desk according to the books.
     */
    listCallers: ({ access }: Endpoint): Name[] =>
      [...listTokens()].filter((name) => {
        const rights = books.before.rights.get(findPerson(name).userNum)
        return rights === undefined || (rights.size > 0 && (access === 'staff' || rights.has(access)))
      }),
  }
}

export type Run = Awaited<ReturnType<typeof startRun>>

let pictureBytes: Promise<Buffer<ArrayBuffer>> | undefined
const drawPicture = () =>
  (pictureBytes ??= sharp({ create: { width: 1600, height: 900, channels: 3, background: '#224466' } })
    .png()
    .toBuffer() as Promise<Buffer<ArrayBuffer>>)
