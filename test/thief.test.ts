import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { describeFinding, findUnansweredCalls, playThief, shortenSteps } from './thief.ts'
import type { Kind } from './thief-books.ts'
import { startRun } from './thief-run.ts'
import { createThiefWorld, SINGLE_ROLES, type ThiefRoles } from './thief-world.ts'

// These runs are short and have fixed seeds, so they fail only after a change. `thief-drill.test.ts` searches for longer.

const world = await createThiefWorld()
after(() => world.close())

test('finds an accepted input for every call of the desk', async () => {
  assert.deepEqual(await findUnansweredCalls(world, { seed: 1, tries: 15 }), [])
})

const ERASE_NOW = sql`insert into account_erasures (user_num, account_hash, rename_characters, requested_at, due_at)
  select user_num, '', false, timestamptz 'epoch', timestamptz 'epoch' + interval '1 minute' from accounts where user_id = 'lita'`

/** By rule: statements that break it in the database, and the kind of violation that the thief's run must then report. */
const DISABLED_RULES: Record<
  string,
  { statements: readonly RawBuilder<unknown>[]; waitMinutes: number; expectedKind: Kind }
> = {
  'charges for what a source can pay': {
    statements: [
      sql`update reward_sources set budget = 2000000 where source = 'daily'`,
      sql`update reward_offers set milleage = 99000 where source = 'daily'`,
    ],
    waitMinutes: 25 * 60,
    expectedKind: 'above-limit',
  },
  'the seven days of an erasure': { statements: [ERASE_NOW], waitMinutes: 20, expectedKind: 'lost account' },
  'the limit of erasures': {
    statements: [
      sql`insert into account_erasures (user_num, account_hash, rename_characters, requested_at, due_at)
        select user_num, '', false, now(), now() + interval '400 days' from accounts where user_id in ('rich', 'lita', 'pedro', 'rosa')`,
    ],
    waitMinutes: 1,
    expectedKind: 'lost account',
  },
  'the seven days of revoked codes': {
    statements: [
      sql`update vouchers set revoked_at = timestamptz 'epoch' where campaign = (select min(campaign) from vouchers)`,
    ],
    waitMinutes: 1,
    expectedKind: 'lost codes',
  },
  'the limit of campaigns': {
    statements: [sql`update vouchers set revoked_at = now() + interval '100 years'`],
    waitMinutes: 1,
    expectedKind: 'lost codes',
  },
  'the usual price of a service': {
    statements: [
      sql`insert into shop_items (item_name, price, section, kind, service, service_pause_hours, category_id, position)
        select 'Cheap', 1, section, kind, service, 0, category_id, position + 100 from shop_items where service = 'name' limit 1`,
    ],
    waitMinutes: 1,
    expectedKind: 'cheap service',
  },
  'the check of addresses': {
    statements: [
      sql`insert into settings (name, value, changed_at) values ('agent_url', '"https://ring.example/chat"', now())
        on conflict (name) do update set value = excluded.value`,
    ],
    waitMinutes: 1,
    expectedKind: 'address',
  },
  'a ledger entry for every correction': {
    statements: [sql`update accounts set r_coin = 0 where user_id = 'lita'`],
    waitMinutes: 1,
    expectedKind: 'lost property',
  },
}

for (const [rule, { statements, waitMinutes, expectedKind }] of Object.entries(DISABLED_RULES)) {
  test(`detects a site without ${rule}`, async () => {
    const run = await startRun(world, ['news'])
    for (const statement of statements) await statement.execute(run.site.db)
    const findings = await run.take({ do: 'wait', minutes: waitMinutes })
    assert.ok(
      findings.some(({ kind }) => kind === expectedKind),
      JSON.stringify(findings),
    )
  })
}

const GUISES: ThiefRoles[] = [
  ...SINGLE_ROLES.filter(([permissionOrRole]) => permissionOrRole?.includes('.') === false),
  ['staff.write'],
  ['game.write'],
  ['items.write'],
  ['players.personal'],
  ['vouchers.revoke'],
  ['rewards.write', 'votes.connect'],
  ['settings.write'],
  ['site.write'],
]

for (const guise of GUISES) {
  test(`a thief with ${guise.join(' and ')} gains nothing`, async () => {
    const { findings } = await playThief(world, { guise, seed: 1 }, { steps: 30 })
    for (const finding of findings) assert.fail(describeFinding(finding, await shortenSteps(world, finding)))
  })
}
