import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Request = {
  method: string
  path: string
  authorization: string | undefined
  body: Record<string, unknown> & { embeds?: Record<string, string>[] }
}
type DiscordAnswer = { status: number; body?: object; headers?: Record<string, string> }

/**
 * Starts a server in place of Discord. It records the requests that it accepts, gives each message an id, and fails while
 * `isOpen` is false. `answers` are returned before its default responses. `posts` are the texts of new messages.
 */
export async function openDiscord() {
  const discord = {
    requests: [] as Request[],
    posts: [] as string[],
    answers: [] as DiscordAnswer[],
    isOpen: true,
    address: '',
    /** The id of the Discord account that gives its consent. */
    discordId: '1001',
    reset,
    close: () => server.close(),
  }
  let lastId = 0
  const server = createServer((req, res) => {
    let text = ''
    req.on('data', (chunk) => {
      text += chunk
    })
    req.on('end', () => {
      const { method = '', url: path = '' } = req
      const isForm = req.headers['content-type'] === 'application/x-www-form-urlencoded'
      const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : text === '' ? {} : JSON.parse(text)
      const { status, body: answer, headers } = discord.answers.shift() ?? { status: discord.isOpen ? 200 : 500 }
      if (status === 200) {
        discord.requests.push({ method, path, authorization: req.headers.authorization, body })
        const { title, description, url } = body.embeds?.[0] ?? {}
        if (method === 'POST') discord.posts.push([title, description, url].filter(Boolean).join('\n'))
      }
      if (method === 'DELETE' && status === 200) return res.writeHead(204).end()
      res.writeHead(status, { 'Content-Type': 'application/json', ...headers })
      res.end(JSON.stringify(answer ?? createAnswer(method, path)))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  discord.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function createAnswer(method: string, path: string): object {
    if (path === '/users/@me') return { id: discord.discordId, username: 'kuya' }
    if (path === '/oauth2/token') {
      const scope = 'role_connections.write identify'
      return { access_token: `access-${++lastId}`, refresh_token: `refresh-${lastId}`, expires_in: 604_800, scope }
    }
    return { id: method === 'POST' ? String(++lastId) : path.split('/').at(-1) }
  }

  function reset(): void {
    discord.requests.length = 0
    discord.posts.length = 0
    discord.answers.length = 0
    discord.isOpen = true
  }

  return discord
}
