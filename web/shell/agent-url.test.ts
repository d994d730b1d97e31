import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPageName } from './agent-url.ts'

test('appends the name of the page to the ref of an m.me address', () => {
  assert.equal(addPageName('https://m.me/kanto', '/itemshop/12'), 'https://m.me/kanto?ref=itemshop-12')
  assert.equal(addPageName('https://m.me/kanto', '/'), 'https://m.me/kanto?ref=home')
  assert.equal(
    addPageName('https://m.me/kanto?ref=site', '/Rankings//Season'),
    'https://m.me/kanto?ref=site-rankings-season',
  )
  assert.equal(addPageName('https://m.me/kanto', '/page/ñ&x=1'), 'https://m.me/kanto?ref=page-x-1')
})

test('does not change the address of another messenger', () => {
  for (const address of ['https://example.com/agent', 'https://m.me.example.com/kanto', 'https://t.me/kanto?ref=a'])
    assert.equal(addPageName(address, '/ticket'), address)
})
