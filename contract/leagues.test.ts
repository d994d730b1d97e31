// biome-ignore-all lint/style/noRestrictedImports: tests run in Node, what they test does not need it
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatLeagueEnd, formatLeagueStart } from './leagues.ts'

test('formats a league from midnight to midnight by its first and last day (WAR-3)', () => {
  const midnight = Date.parse('2026-12-30T00:00:00+08:00')
  assert.equal(formatLeagueStart(midnight), '30 December 2026')
  assert.equal(formatLeagueEnd(midnight), '29 December 2026')
  const evening = Date.parse('2026-12-30T20:30:00+08:00')
  assert.equal(formatLeagueStart(evening), '30 December 2026, 20:30')
  assert.equal(formatLeagueEnd(evening), '30 December 2026, 20:30')
})
