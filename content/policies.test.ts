import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { SESSION_IDLE_MS, SESSION_MAX_MS, WHITELIST_MAX } from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { SESSION_KEYS } from '#web/api/session.ts'
import { fillNames, policyNames } from '#web/features/policies/names.ts'
import { POLICIES } from './policies.ts'
import { type Block, readMarks } from './prose.ts'

const root = join(import.meta.dirname, '..')
const site = {
  app_name: 'Kanto Online',
  operator_name: 'Kanto Servers, Iloilo',
  operator_email: 'desk@kanto.example.ph',
}
type Site = Parameters<typeof policyNames>[0]
const policiesOf = (settings: Site) => POLICIES.map((policy) => fillNames(policy, policyNames(settings)))
const policies = policiesOf(site)
const textOf = ({ sections }: (typeof policies)[number]) =>
  sections.flatMap(({ blocks }) => sentencesOf(blocks)).join('\n')

/** All sentences of some blocks in reading order, marks included. */
function sentencesOf(blocks: readonly Block<string>[]): string[] {
  return blocks.flatMap((block) => {
    if (typeof block === 'string') return [block]
    if ('list' in block) return block.list
    if ('steps' in block) return block.steps
    if ('tip' in block) return [block.tip]
    if ('note' in block) return [block.note]
    if ('figure' in block) return []
    const { caption, columns, rows } = block.table
    return [...(caption === undefined ? [] : [caption]), ...columns, ...rows.flat()]
  })
}

test('each policy names the site, its operator and where to write to', () => {
  for (const policy of policies) {
    const text = textOf(policy)
    assert.ok(`${policy.about} ${text}`.includes('Kanto Online'), policy.title)
    assert.ok(text.includes('Kanto Servers, Iloilo'), policy.title)
    assert.ok(text.includes('[desk@kanto.example.ph](mailto:desk@kanto.example.ph)'), policy.title)
  }
})

test('without an address of the operator the policies point to the tickets', () => {
  for (const policy of policiesOf({ ...site, operator_email: null })) {
    const text = textOf(policy)
    assert.ok(text.includes('[our support desk](/ticket)'), policy.title)
    assert.doesNotMatch(text, /mailto|null|undefined/)
  }
})

test('sections have titles and anchors of their own, and tables a cell for every column', () => {
  for (const { title, sections } of policies) {
    assert.equal(new Set(sections.map(({ id }) => id)).size, sections.length, title)
    assert.ok(sections.every(({ id, blocks }) => /^[a-z-]+$/.test(id) && blocks.length > 0))
    for (const block of sections.flatMap(({ blocks }) => blocks)) {
      if (typeof block === 'string' || !('table' in block)) continue
      for (const row of block.table.rows) assert.equal(row.length, block.table.columns.length, row[0] ?? '')
    }
  }
})

test('a link from one policy into another leads to a section that is there', () => {
  const anchors = new Set(
    policies.flatMap(({ path, sections }) => [path, ...sections.map(({ id }) => `${path}#${id}`)]),
  )
  const links = policies.flatMap((policy) =>
    readMarks(textOf(policy)).flatMap((piece) =>
      piece.kind === 'link' && /^(#|\/\w+(policy|agreement))/.test(piece.to)
        ? [piece.to.replace(/^#/, `${policy.path}#`)]
        : [],
    ),
  )
  assert.ok(links.length > 5)
  for (const link of links) assert.ok(anchors.has(link), link)
})

test('the policies state the numbers that the software keeps', () => {
  const [operation = '', privacy = '', cash = ''] = policies.map(textOf)
  const hours = `${SESSION_IDLE_MS / 3_600_000} hours`
  const days = `${SESSION_MAX_MS / 86_400_000} days`
  for (const text of [operation, privacy]) assert.ok(text.includes(hours) && text.includes(days))
  assert.ok(operation.includes(`at most ${WHITELIST_MAX}`) && privacy.includes(`at most ${WHITELIST_MAX}`))
  assert.ok(cash.includes(`After ${LIMITS.voucherFailures.max} wrong codes`))
})

test('the privacy policy names every key that the site keeps in a browser', async () => {
  const [, privacy = ''] = policies.map(textOf)
  const keys = new Set<string>(Object.values(SESSION_KEYS))
  for await (const file of glob('web/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/*.test.ts'],
  }))
    for (const [key] of readFileSync(join(root, file), 'utf8').matchAll(/TAMBAYAN_[A-Z]+(_[A-Z]+)*/g)) keys.add(key)
  assert.ok(keys.size > 4)
  for (const key of keys) assert.ok(privacy.includes(key), key)
})
