import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { cleanUpAtExit, makeTemporaryFolder } from '#scripts/clean-up.ts'
import { type StartedProgram, startSite } from '#scripts/start-site.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { openPostgres } from '#server/db/open.ts'
import { mintCampaign } from '#server/features/vouchers/codes.ts'
import { openSessions } from '../side-by-side.ts'

const PLAYER_COUNT = 60
const CAMPAIGN_COUNT = 2
const CODES_PER_CAMPAIGN = 10_000
const READER_COUNT = 6
const BUYER_COUNT = 6
/** The time after a fault in which answers of 503 still count as its effect. */
const RECOVERY_MS = 15_000
const CALM_MS = 20_000
const PAGES = [
  '/',
  '/news',
  '/rankings',
  '/itemshop',
  '/topic/45',
  '/search?q=brawler',
  '/api/getnewsall/0/8/1/0',
  '/api/itemshop?category=0&page=2',
]

const isRoot = process.getuid?.() === 0
const pickRandom = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)] as Item

/** Creates a folder on its own small file system, to fill the disk; without root, an ordinary folder. */
function makeDisk(): string {
  const folder = makeTemporaryFolder()
  if (isRoot) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500m', 'tmpfs', folder])
    cleanUpAtExit(() => execFileSync('umount', ['-l', folder]))
  }
  return folder
}

/** Starts a mail server that accepts everything, or stops responding while `hangs`. */
async function startMailServer() {
  const state = { hangs: false, received: 0 }
  const openSockets = new Set<Socket>()
  const server = createServer((socket) => {
    openSockets.add(socket.on('error', () => {}).on('close', () => openSockets.delete(socket)))
    let isText = false
    const answer = (line: string) => void (state.hangs || socket.write(`${line}\r\n`))
    answer('220 soak')
    socket.on('data', (chunk) => {
      for (const line of chunk.toString('latin1').split('\r\n').slice(0, -1)) {
        if (isText) {
          if (line !== '.') continue
          isText = false
          state.received++
          answer('250 taken')
        } else if (/^data/i.test(line)) {
          isText = true
          answer('354 go on')
        } else answer(/^quit/i.test(line) ? '221 bye' : '250 well')
      }
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  cleanUpAtExit(() => {
    for (const socket of openSockets) socket.destroy()
    server.close()
  })
  return Object.assign(state, { url: `smtp://127.0.0.1:${port}` })
}

/**
 * Uses the site for some minutes with faults: two processes on PostgreSQL (needs Debian's package), with players who read, log
 * in, buy, redeem and write tickets, while the site is killed, the database is killed or stopped, its disk is full (needs root,
 * for a small file system) and the mail server hangs. Every call that moves something is repeated under its Idempotency-Key
 * until it has an answer, as the site's own pages do. Afterwards the database is compared with the answers.
 */
export async function soak(minutes: number): Promise<void> {
  const disk = makeDisk()
  const data = join(disk, 'postgres')
  mkdirSync(data)
  const mail = await startMailServer()
  const postgres = await startThrowawayPostgres(['fsync=on', 'max_wal_size=256MB', 'min_wal_size=80MB'], {
    folder: data,
  })
  const env = {
    DATABASE_URL: postgres.url,
    SMTP_URL: mail.url,
    MAIL_FROM: 'Soak <soak@example.com>',
    DATA_DIR: join(makeTemporaryFolder(), 'data'),
  }
  const startSiteProcess = (port = '0') => startSite({ env: { ...env, PORT: port } })
  const sites: StartedProgram[] = [await startSiteProcess(), await startSiteProcess()]

  const database = await openPostgres(postgres.url)
  const { db } = database
  const players: number[] = []
  for (let n = 0; n < PLAYER_COUNT; n++) {
    const { user_num } = await db
      .insertInto('accounts')
      .values({
        user_id: `soak_${n}`,
        user_email: `soak_${n}@example.com`,
        first_name: 'Ana',
        last_name: 'Ramos',
        password_hash: '!',
        secret_question: 1,
        secret_answer_hash: '!',
        r_coin: 1_000_000_000,
        milleage: 1_000_000_000,
        email_verified_at: new Date(),
        wants_receipts: true,
      })
      .returning('user_num')
      .executeTakeFirstOrThrow()
    for (const currency of ['r_coin', 'milleage'] as const)
      await db
        .insertInto('ledger')
        .values({ user_num, currency, delta: 1_000_000_000, balance_after: 1_000_000_000, reason: 'demo' })
        .execute()
    players.push(user_num)
  }
  const tokens = await openSessions(db, players)
  const codes: string[] = []
  for (let n = 0; n < CAMPAIGN_COUNT; n++) {
    const campaign = await db.transaction().execute((tx) =>
      mintCampaign(
        tx,
        {
          name: `Soak ${n}`,
          count: CODES_PER_CAMPAIGN,
          rCoin: 10,
          milleage: 0,
          expiresAt: null,
          perAccount: null,
          inTotal: null,
          streamer: null,
        },
        { now: new Date(), madeBy: null },
      ),
    )
    codes.push(...campaign.codes)
  }
  const items = (await db.selectFrom('shop_items').where('visible', '=', true).select('product_num').execute()).map(
    ({ product_num }) => product_num,
  )

  // The current fault and its results.
  let fault: string | null = null
  let faultUntil = 0
  const isCalm = () => fault === null && Date.now() > faultUntil
  const answerCounts = new Map<string, number>()
  const unexpectedAnswers: string[] = []
  const doneCounts = { pages: 0, logins: 0, purchases: 0, redemptions: 0, tickets: 0, retries: 0 }
  const end = Date.now() + minutes * 60_000

  type SiteAnswer = { status: number; text: string }

  /** Sends a request to one of the sites. @returns null without a response */
  async function sendRequest(path: string, init: RequestInit = {}): Promise<SiteAnswer | null> {
    const isExpectedToAnswer = isCalm()
    const site = pickRandom(sites)
    try {
      const answer = await fetch(`${site.origin}${path}`, { ...init, signal: AbortSignal.timeout(30_000) })
      const text = await answer.text()
      const kind = `${answer.status}`
      answerCounts.set(kind, (answerCounts.get(kind) ?? 0) + 1)
      if (answer.status === 500 || (answer.status > 500 && isExpectedToAnswer && isCalm()))
        unexpectedAnswers.push(`${answer.status} ${path} ${fault ?? 'no fault'}: ${text.slice(0, 200)}`)
      return { status: answer.status, text }
    } catch (error) {
      answerCounts.set('no answer', (answerCounts.get('no answer') ?? 0) + 1)
      if (isExpectedToAnswer && isCalm())
        unexpectedAnswers.push(`no answer ${path}: ${String((error as Error).cause ?? error)}`)
      return null
    }
  }

  /** Sends a call under one key until it is answered with something other than 503. */
  async function sendUntilAnswered(path: string, createInit: () => RequestInit): Promise<SiteAnswer> {
    const key = randomUUID()
    for (;;) {
      const init = createInit()
      const answer = await sendRequest(path, { ...init, headers: { ...init.headers, 'Idempotency-Key': key } })
      if (answer !== null && answer.status < 500) return answer
      doneCounts.retries++
      await sleep(500 + Math.random() * 500)
    }
  }

  const createAuthHeader = (token: string) => ({ Authorization: `Bearer ${token}` })
  const createJsonInit = (body: unknown, token?: string): RequestInit => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : createAuthHeader(token)) },
    body: JSON.stringify(body),
  })

  async function repeatUntilEnd(work: () => Promise<void>, pauseMs: number): Promise<void> {
    while (Date.now() < end) {
      await work()
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }

  const readPage = async () => {
    const answer = await sendRequest(pickRandom(PAGES), { headers: { 'Accept-Encoding': 'br' } })
    if (answer?.status === 200) doneCounts.pages++
  }
  const buy = async () => {
    const token = pickRandom(tokens)
    const { status } = await sendUntilAnswered(`/api/buyitem?productnum=${pickRandom(items)}`, () => ({
      method: 'POST',
      headers: createAuthHeader(token),
    }))
    if (status === 200) doneCounts.purchases++
  }
  const redeem = async () => {
    const [token, code] = [pickRandom(tokens), codes.pop()]
    if (code === undefined) return
    const { status, text } = await sendUntilAnswered('/api/processCoupon', () =>
      createJsonInit({ CouponCode: code, ReferralCode: '' }, token),
    )
    if (status === 200) doneCounts.redemptions++
    else throw new Error(`A voucher was refused: ${status} ${text}`)
  }
  const logIn = async () => {
    const answer = await sendRequest('/api/processlogin', createJsonInit({ UserID: 'juan', UserPass: 'juan-demo-1' }))
    if (answer?.status !== 200) return
    const { token, message } = JSON.parse(answer.text).data as { token: string | null; message: string }
    if (token === null) throw new Error(`A login was refused: ${message}`)
    doneCounts.logins++
    await sendRequest('/api/logout', createJsonInit({}, token))
  }
  let ticketCount = 0
  const writeTicket = async () => {
    const number = ++ticketCount
    const { status } = await sendUntilAnswered('/api/submitticket', () => {
      const body = new FormData()
      for (const [name, value] of Object.entries({
        category: 'other',
        subject: `Soak ${number}`,
        message: 'The rooftop door is locked.',
        email: `soak-${number}@example.org`,
      }))
        body.set(name, value)
      return { method: 'POST', body }
    })
    if (status === 200) doneCounts.tickets++
  }

  /** Each fault breaks one thing, waits, and repairs it. */
  const FAULTS: [name: string, run: () => Promise<void>][] = [
    [
      'kill -9 of one site',
      async () => {
        const [site] = sites
        if (site === undefined) return
        site.process.kill('SIGKILL')
        await sleep(2000)
        sites[0] = await startSiteProcess(new URL(site.origin).port)
      },
    ],
    [
      'database stopped for 20 s',
      async () => {
        postgres.signal('SIGSTOP')
        await sleep(20_000)
        postgres.signal('SIGCONT')
      },
    ],
    [
      'kill -9 of the database',
      async () => {
        postgres.signal('SIGKILL')
        await sleep(3000)
        await postgres.start()
      },
    ],
    [
      'disk of the database full',
      async () => {
        if (!isRoot) return
        const filler = join(disk, 'filler')
        try {
          execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'], { stdio: 'ignore' })
        } catch {
          // dd ends with an error when the disk is full, as intended.
        }
        await sleep(15_000)
        rmSync(filler, { force: true })
        await postgres.start()
      },
    ],
    [
      'mail server hangs for 20 s',
      async () => {
        mail.hangs = true
        await sleep(20_000)
        mail.hangs = false
      },
    ],
  ]

  async function runFaults(): Promise<void> {
    for (let nth = 0; ; nth++) {
      await sleep(CALM_MS)
      const [name, run] = FAULTS[nth % FAULTS.length] ?? ['', async () => {}]
      if (Date.now() + 60_000 > end) return
      fault = name
      const startedAt = Date.now()
      await run()
      faultUntil = Date.now() + RECOVERY_MS
      fault = null
      console.log(
        `${new Date().toISOString().slice(11, 19)} ${name} (${Math.round((Date.now() - startedAt) / 1000)} s)`,
      )
    }
  }

  const measureMemory = (pid: number | undefined, field: 'VmRSS' | 'VmHWM') =>
    Number(new RegExp(`${field}:\\s*(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

  const survivingSite = sites[1]
  const memoryBefore = measureMemory(survivingSite?.process.pid, 'VmRSS')
  let memoryAfterTwoMinutes = memoryBefore
  void sleep(120_000, undefined, { ref: false }).then(() => {
    memoryAfterTwoMinutes = measureMemory(survivingSite?.process.pid, 'VmRSS')
  })
  await Promise.all([
    ...Array.from({ length: READER_COUNT }, () => repeatUntilEnd(readPage, 20)),
    ...Array.from({ length: BUYER_COUNT }, () => repeatUntilEnd(buy, 50)),
    repeatUntilEnd(redeem, 100),
    repeatUntilEnd(logIn, 500),
    repeatUntilEnd(writeTicket, 1000),
    runFaults(),
  ])
  await sleep(30_000)

  const count = async (query: ReturnType<typeof sql<{ n: number }>>) =>
    Number((await query.execute(db)).rows[0]?.n ?? -1)
  const soakAccounts = sql`(select user_num from accounts where user_id like 'soak\\_%')`
  const counts = {
    purchases: await count(sql`select count(*) as n from purchases where user_num in ${soakAccounts}`),
    units: await count(sql`select count(*) as n from deliveries where user_num in ${soakAccounts}`),
    redemptions: await count(sql`select count(*) as n from topups where user_num in ${soakAccounts}`),
    tickets: await count(sql`select count(*) as n from tickets where subject like 'Soak %'`),
  }
  const wrongBalances = await count(sql`
    select count(*) as n from accounts a where user_num in ${soakAccounts} and (
      r_coin <> (select sum(delta) from ledger l where l.user_num = a.user_num and currency = 'r_coin')
      or milleage <> (select sum(delta) from ledger l where l.user_num = a.user_num and currency = 'milleage'))`)
  const unsentMails = await count(sql`select count(*) as n from mail_outbox where sent_at is null`)

  const compareCounts = (name: string, answeredCount: number, storedCount: number) =>
    console.log(
      `${name}: ${answeredCount} answered, ${storedCount} stored; lost ${Math.max(0, answeredCount - storedCount)}, doubled ${Math.max(0, storedCount - answeredCount)}`,
    )
  console.log(
    `\n${minutes} minutes: ${doneCounts.pages} pages, ${doneCounts.logins} logins, ${doneCounts.retries} calls repeated`,
  )
  compareCounts('purchases', doneCounts.purchases, counts.purchases)
  compareCounts('units to deliver', doneCounts.purchases, counts.units)
  compareCounts('vouchers', doneCounts.redemptions, counts.redemptions)
  compareCounts('tickets', doneCounts.tickets, counts.tickets)
  console.log(`accounts whose ledger does not add up to their balance: ${wrongBalances}`)
  console.log(
    `answers by status: ${[...answerCounts]
      .sort()
      .map(([status, n]) => `${status}: ${n}`)
      .join(', ')}`,
  )
  console.log(`answers of 500, and of 5xx or none outside the faults: ${unexpectedAnswers.length}`)
  for (const line of unexpectedAnswers.slice(0, 20)) console.log(`  ${line}`)
  console.log(
    `memory of the site that was not killed: ${memoryBefore.toFixed(0)} MB at the start, ${memoryAfterTwoMinutes.toFixed(0)} MB after two minutes, ` +
      `${measureMemory(survivingSite?.process.pid, 'VmRSS').toFixed(0)} MB 30 s after the end (VmHWM ${measureMemory(survivingSite?.process.pid, 'VmHWM').toFixed(0)} MB)`,
  )
  console.log(`mails: ${mail.received} delivered, ${unsentMails} not sent yet`)
  const isPassed =
    wrongBalances === 0 &&
    unexpectedAnswers.length === 0 &&
    counts.purchases === doneCounts.purchases &&
    counts.units === doneCounts.purchases &&
    counts.redemptions === doneCounts.redemptions &&
    counts.tickets === doneCounts.tickets
  await database.close()
  await Promise.all(sites.map((site) => site.stop()))
  await postgres.stop()
  if (!isPassed) process.exitCode = 1
}
