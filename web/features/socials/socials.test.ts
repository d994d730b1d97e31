import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDefaults } from '#content/documents.ts'
import type { DocumentContent } from '#contract/documents.ts'

test('uses only places of the world map as meeting places', () => {
  const defaults = readDefaults({ demo: true })
  const { places } = defaults.story as DocumentContent<'story'>
  for (const { to, name } of (defaults.socials as DocumentContent<'socials'>).spots)
    assert.equal(places.find(({ id }) => to === `/story#place-${id}`)?.name, name)
})
