import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeTemporaryFolder } from '#scripts/clean-up.ts'
import { type StartedProgram, startSite } from '#scripts/start-site.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import { waitUntil } from '#test/wait-until.ts'
import { openPostgres } from './open.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'

/** Starts a proxy to the server that can stop forwarding, like a network when a machine loses power. */
async function createProxy(target: URL) {
  const pairs = new Set<[Socket, Socket]>()
  let isSilent = false
  const proxy = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    const pair: [Socket, Socket] = [socket, upstream]
    pairs.add(pair)
    for (const [source, destination] of [pair, [upstream, socket] as const]) {
      source.on('error', () => {})
      source.on('close', () => {
        pairs.delete(pair)
        destination.destroy()
      })
      source.on('data', (data) => {
        if (!isSilent) destination.write(data)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    silence: () => {
      isSilent = true
    },
    /** Forwards new connections again. The old ones are closed. */
    mend: () => {
      isSilent = false
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
    close: () => proxy.close(),
  }
}

describe('a database that fails', () => {
  let postgres: ThrowawayPostgres
  let proxy: Awaited<ReturnType<typeof createProxy>>
  let site: StartedProgram
  /** Holds locks in a transaction. */
  let admin: pg.Client
  /** Reads which sessions wait. A transaction would only show the sessions of its first query. */
  let observer: pg.Client
  let item: number
  const tokens = new Map<string, string>()
  /** The site's log so far. */
  let logText = ''

  async function connectTest() {
    const connection = { connectionString: postgres.url, application_name: 'test' }
    admin = new pg.Client(connection)
    observer = new pg.Client(connection)
    await Promise.all([admin.connect(), observer.connect()])
  }
  /** Ends the site's connections. */
  const disconnectSite = (client: pg.Client) =>
    client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = '' and backend_type = 'client backend'",
    )

  before(async () => {
    postgres = await startThrowawayPostgres()
    const url = new URL(postgres.url)
    proxy = await createProxy(new URL(postgres.url))
    url.port = String(proxy.port)
    site = await startSite({ env: { DATABASE_URL: url.href, LOG_LEVEL: 'error' } })
    site.process.stdout?.on('data', (text) => {
      logText += text
    })
    await connectTest()
    const { rows } = await admin.query(
      "select product_num from shop_items where visible and section = 1 and kind = 'item' order by price",
    )
    item = rows[0].product_num
    await admin.query('update shop_items set price = 1 where product_num = $1', [item])
    const { rows: otherPlayers } = await admin.query(
      "select user_id from accounts where user_id not in ('juan', 'maria') order by user_num limit 28",
    )
    for (const name of ['juan', 'maria', ...otherPlayers.map(({ user_id }) => user_id)]) {
      const token = createToken()
      tokens.set(name, token)
      await admin.query(
        `insert into sessions (token_hash, user_num, address, device, created_at, last_seen_at, ends_at)
         select $1, user_num, '127.0.0.1', '', now(), now(), now() + interval '1 day' from accounts where user_id = $2`,
        [hashToken(token), name],
      )
    }
    await admin.query(`
      with paid as (update accounts set milleage = milleage + 100000 where user_id in ('juan', 'maria') returning *)
      insert into ledger (user_num, currency, delta, balance_after, reason, created_at)
      select user_num, 'milleage', 100000, milleage, 'test', now() from paid`)
  })
  after(async () => {
    site?.process.kill('SIGKILL')
    await admin?.end()
    await observer?.end()
    proxy?.close()
    await postgres?.stop()
  })

  // A failed test must leave neither locks nor a stopped server to the next test.
  afterEach(async () => {
    postgres.signal('SIGCONT')
    await admin.query('rollback')
  })

  const request = (path: string, init: RequestInit = {}, timeoutMs = 15_000) =>
    fetch(`${site.origin}${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) })
  const buy = (name: string, key: string = randomUUID()) =>
    request(`/api/buyitem?productnum=${item}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tokens.get(name)}`, 'Idempotency-Key': key },
    })
  const waitForPurchase = (name = 'juan', key: string = randomUUID()) =>
    waitUntil('a purchase works', async () => (await buy(name, key)).status === 200)
  async function assertCannotBuy(name = 'juan') {
    const answer = await buy(name)
    assert.equal(answer.status, 503, await answer.clone().text())
    assert.match(answer.headers.get('Retry-After') ?? '', /^\d+$/)
  }
  async function assertPagesAreServed() {
    for (const path of ['/', '/itemshop']) assert.equal((await request(path)).status, 200, path)
  }
  const readReadiness = async () => (await request('/readyz', {}, 2000)).status
  const countPurchases = async (key: string) => {
    const { rows } = await admin.query(
      'select count(*)::int as count from purchases p join idempotency_keys k on k.key = $1 and k.created_at = p.created_at',
      [key],
    )
    return rows[0].count
  }

  test('a forgotten table lock delays calls by seconds only', async () => {
    await assertPagesAreServed()
    await waitForPurchase()
    await admin.query('begin; lock table accounts')
    await assertCannotBuy()
    await assertPagesAreServed()
    await admin.query('rollback')
    await waitForPurchase()
  })

  test('thirty purchases during a table lock answer 503 with Retry-After', async () => {
    assert.equal(tokens.size, 30)
    await waitForPurchase()
    await admin.query('begin; lock table accounts')
    await disconnectSite(observer)
    await Promise.all(
      [...tokens.keys()].map(async (name) => {
        for (let attempt = 0; attempt < 4; attempt++) await assertCannotBuy(name)
      }),
    )
    await admin.query('rollback')
    await waitForPurchase()
  })

  test('a stopped server delays calls by seconds only, and jobs continue afterwards', async () => {
    const readLastRollover = async () => {
      const { rows } = await admin.query("select succeeded_at from jobs where name = 'rollover'")
      return rows.length === 0 ? null : String(rows[0].succeeded_at)
    }
    await waitUntil('the job is registered', async () => (await readLastRollover()) !== null)
    const before = await readLastRollover()
    await admin.query("update jobs set due_at = now() where name = 'rollover'")
    postgres.signal('SIGSTOP')
    try {
      await Promise.all([
        assertCannotBuy(),
        assertPagesAreServed(),
        readReadiness().then((status) => assert.equal(status, 503)),
      ])
      await assertCannotBuy()
    } finally {
      postgres.signal('SIGCONT')
    }
    await waitForPurchase()
    assert.equal(await readReadiness(), 200)
    await waitUntil('the job runs again', async () => (await readLastRollover()) !== before)
  })

  test('a silent network delays calls by seconds only', async () => {
    proxy.silence()
    await Promise.all([
      assertCannotBuy(),
      assertPagesAreServed(),
      readReadiness().then((status) => assert.equal(status, 503)),
    ])
    proxy.mend()
    await waitForPurchase()
  })

  test('without the database, purchases and /readyz answer 503, and cached pages have an Age', async () => {
    await assertPagesAreServed()
    logText = ''
    // PostgreSQL renames a database only while it has no connections, so this one uses another database.
    await Promise.all([admin.end(), observer.end()])
    const url = new URL(postgres.url)
    url.pathname = '/template1'
    const operator = new pg.Client({ connectionString: url.href, application_name: 'test' })
    await operator.connect()
    async function assertServedWhileUnavailable(reason: string) {
      await Promise.all([...tokens.keys()].map(assertCannotBuy))
      assert.equal(await readReadiness(), 503, reason)
      for (const path of ['/', '/itemshop'])
        await waitUntil(`${reason}: ${path} is sent with its age`, async () => {
          const answer = await request(path)
          assert.equal(answer.status, 200, `${reason}: ${path}`)
          return answer.headers.has('Age')
        })
    }
    try {
      await operator.query('alter role tambayan nologin')
      await disconnectSite(operator)
      await assertServedWhileUnavailable('the role may not log in')
      await operator.query('alter database postgres rename to other; alter role tambayan login')
      await assertServedWhileUnavailable('the database is renamed')
      await operator.query('alter database other allow_connections false')
      await operator.query('alter database other rename to postgres')
      await assertServedWhileUnavailable('the database takes no connections')
    } finally {
      await operator.query('alter role tambayan login')
      await operator.query('alter database other rename to postgres').catch(() => {})
      await operator.query('alter database postgres allow_connections true')
      await operator.end()
      await connectTest()
    }
    assert.ok(logText.split('"database-away"').length - 1 <= 1, logText)
    await waitForPurchase()
  })

  test('a purchase whose connection was ended answers 503, and its retry buys once', async () => {
    const key = randomUUID()
    await admin.query("begin; select from accounts where user_id = 'juan' for update")
    const answer = buy('juan', key)
    await waitUntil('the purchase waits', async () => {
      const termination = await observer.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'",
      )
      return (termination.rowCount ?? 0) > 0
    })
    assert.equal((await answer).status, 503)
    await admin.query('rollback')
    await waitForPurchase('juan', key)
    assert.equal(await countPurchases(key), 1)
  })

  const countWaitingSessions = async () => {
    const { rows } = await observer.query(
      "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'",
    )
    return rows[0].count
  }

  test('purchases of a player with a locked account use two connections and do not delay others', async () => {
    await admin.query("begin; select from accounts where user_id = 'juan' for update")
    const purchases = Promise.all(Array.from({ length: 12 }, () => buy('juan')))
    await waitUntil('two purchases wait', async () => (await countWaitingSessions()) === 2)
    for (let purchase = 0; purchase < 20; purchase++) assert.equal((await buy('maria')).status, 200)
    assert.ok((await countWaitingSessions()) <= 2)
    await admin.query('rollback')
    for (const { status } of await purchases) assert.ok(status === 200 || status === 503, String(status))
  })

  test('answers any temporary failure of the database with 503 and Retry-After', async () => {
    await admin.query(`
      create table failing (code text);
      create function fail() returns trigger language plpgsql as $$
        declare found text := (select code from failing);
        begin
          if found is not null then raise exception 'no' using errcode = found; end if;
          return new;
        end $$;
      create trigger fail before insert on purchases for each row execute function fail()`)
    await admin.query('insert into failing values (null)')
    for (const code of ['25006', '53100', '53300', '57014', '57P01', '57P02', '57P03', '55P03', '40001', '40P01']) {
      await admin.query('update failing set code = $1', [code])
      await assertCannotBuy()
    }
    await admin.query('drop trigger fail on purchases')
    await waitForPurchase()
  })

  test('runs a purchase again after a conflict rolled it back', async () => {
    await admin.query(`
      create sequence tries;
      create function fail_once() returns trigger language plpgsql as $$
        begin
          if nextval('tries') = 1 then raise exception 'no' using errcode = '40P01'; end if;
          return new;
        end $$;
      create trigger fail_once before insert on purchases for each row execute function fail_once()`)
    const key = randomUUID()
    assert.equal((await buy('juan', key)).status, 200)
    assert.equal(await countPurchases(key), 1)
    await admin.query('drop trigger fail_once on purchases')
  })

  test('with several servers in the address, uses one that can be reached', async () => {
    const url = postgres.url.replace('@', '@127.0.0.1:1,')
    const database = await openPostgres(url)
    assert.equal(
      (await database.db.selectFrom('accounts').where('user_id', '=', 'juan').selectAll().execute()).length,
      1,
    )
    await database.close()
  })

  test('refuses a pooler between the site and PostgreSQL in one line', {
    skip: existsSync(PGBOUNCER) ? false : 'needs PgBouncer',
  }, async (t) => {
    const { port: postgresPort } = new URL(postgres.url)
    const folder = makeTemporaryFolder()
    chmodSync(folder, 0o755)
    for (const ignoredParameters of [
      'extra_float_digits',
      'statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    ]) {
      const file = join(folder, `${ignoredParameters.length}.ini`)
      const port = 20_000 + Math.floor(Math.random() * 10_000)
      writeFileSync(
        file,
        `[databases]\n* = host=127.0.0.1 port=${postgresPort} user=tambayan\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
          `auth_type = any\npool_mode = transaction\nunix_socket_dir =\nignore_startup_parameters = ${ignoredParameters}\n`,
        { mode: 0o644 },
      )
      const userOptions = process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'nobody'])) } : {}
      const pooler = spawn(PGBOUNCER, ['-q', file], { ...userOptions, stdio: 'ignore' })
      t.after(() => pooler.kill('SIGKILL'))
      const tryOpening = async (): Promise<unknown> => {
        for (let attempt = 0; attempt < 50; attempt++) {
          const error = await openPostgres(`postgres://tambayan@127.0.0.1:${port}/postgres`).catch((error) => error)
          if (error.code !== 'ECONNREFUSED') return error
          await sleep(100)
        }
        return undefined
      }
      assert.match(
        String(await tryOpening()),
        /IncompatibleDatabase: DATABASE_URL points to a connection pooler/,
        ignoredParameters,
      )
    }
  })

  test('SIGTERM ends the site within ten seconds while the server is stopped', async () => {
    postgres.signal('SIGSTOP')
    const hangingPurchase = buy('juan').catch(() => {})
    await sleep(200)
    const exit = once(site.process, 'exit')
    site.process.kill('SIGTERM')
    assert.deepEqual(await Promise.race([exit, sleep(10_000, 'later', { ref: false })]), [0, null])
    await hangingPurchase
    postgres.signal('SIGCONT')
  })
})
