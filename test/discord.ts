import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Db } from '#server/db/open.ts'
import { TEST_NOW } from './databases.ts'

/**
 * Starts a server in place of Discord until the tests of the file are over: it records posts, and refuses while
 * `isOpen` is false. `connect` makes it the webhook of a setting, without the check that a webhook is an https address.
 */
export async function startDiscord() {
  const discord = { posts: [] as string[], isOpen: true, connect, reset }
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk) => {
      body += chunk
    })
    req.on('end', () => {
      if (discord.isOpen) discord.posts.push(JSON.parse(body).content)
      res.writeHead(discord.isOpen ? 204 : 500).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const value = JSON.stringify(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)

  async function connect(db: Db, name: 'news_webhook' | 'alert_webhook'): Promise<void> {
    await db
      .insertInto('settings')
      .values({ name, value, changed_at: TEST_NOW })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  }

  function reset(): void {
    discord.posts.length = 0
    discord.isOpen = true
  }

  return discord
}
