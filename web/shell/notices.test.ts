import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNoticeId, formatMaintenanceTime } from './notice-time.ts'

test('shows at most two units in the countdown to the start and the end of maintenance', () => {
  const window = { from: '2026-11-21T21:00:00Z', until: '2026-11-21T22:30:00Z' }
  for (const [now, text] of [
    ['2026-11-19T19:00:00Z', 'Maintenance starts in 2 days 2 hours'],
    ['2026-11-21T18:49:30Z', 'Maintenance starts in 2 hours 11 minutes'],
    ['2026-11-21T20:59:59Z', 'Maintenance starts in 1 minute'],
    ['2026-11-21T21:00:00Z', 'Maintenance: back in 1 hour 30 minutes'],
    ['2026-11-21T22:30:00Z', 'Maintenance is over'],
  ] as const)
    assert.equal(formatMaintenanceTime(window, Date.parse(now)), text)
  assert.equal(formatMaintenanceTime({ ...window, until: '' }, Date.parse('2026-11-22T00:00:00Z')), 'Maintenance')
})

test('gives a notice a new selector-safe id when its kind, text or end changes', () => {
  const notice = { kind: 'announcement', text: 'Foundation Week begins tonight', until: '' }
  assert.equal(createNoticeId(notice), createNoticeId({ ...notice }))
  for (const change of [
    { text: 'Foundation Week begins tomorrow' },
    { until: '2026-11-30T00:00:00Z' },
    { kind: 'maintenance' },
  ])
    assert.notEqual(createNoticeId({ ...notice, ...change }), createNoticeId(notice))
  assert.match(createNoticeId({ ...notice, text: '"]{} ñ 🎉' }), /^n[0-9a-z]+$/)
})
