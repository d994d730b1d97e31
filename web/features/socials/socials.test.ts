import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDefaults } from '#content/documents.ts'
import type { DocumentOf } from '#contract/documents.ts'
import { createTestApp } from '#test/helpers.ts'

const content = (html: string) => html.slice(html.indexOf('<main'), html.indexOf('</main>'))

test('the agent’s and the social link stand on the page, each in a new tab', async () => {
  const site = await createTestApp({ pages: true })
  const page = content((await site.get('/socials')).text)
  for (const address of ['https://example.com/agent', 'https://example.com/barkada']) {
    assert.match(page, new RegExp(`<a href="${address}"[^>]* target="_blank" rel="noopener"`))
  }
  assert.match(page, /href="\/feed\.xml"/)
})

test('without their addresses neither link is shown, and the page says what there is instead', async () => {
  const site = await createTestApp({ pages: true, config: { agentUrl: undefined, socialUrl: undefined } })
  const page = content((await site.get('/socials')).text)
  assert.doesNotMatch(page, /Talk to an Agent|Join the barkada/)
  assert.match(page, /No page and no messenger yet/)
  assert.match(page, /href="\/feed\.xml"/)
  assert.match(page, /href="\/ticket"/)
})

test('one of the two alone is shown alone', async () => {
  const site = await createTestApp({ pages: true, config: { agentUrl: undefined } })
  const page = content((await site.get('/socials')).text)
  assert.doesNotMatch(page, /Talk to an Agent|No page and no messenger/)
  assert.match(page, /Join the barkada/)
})

test('the meeting places are places of the world map', () => {
  const ours = readDefaults({ demo: true })
  const { places } = ours.story as DocumentOf<'story'>
  for (const { to, name } of (ours.socials as DocumentOf<'socials'>).spots)
    assert.equal(places.find(({ id }) => to === `/story#place-${id}`)?.name, name)
})
