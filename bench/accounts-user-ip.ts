/**
 * Authenticated `GET /api/user-ip` requests/s on PostgreSQL against bare node:http with one
 * primary-key SELECT per request through the same driver (bare-select.ts). Both are processes of
 * their own on the same temporary server; this process sends the load over 32 connections.
 *
 * `node bench/accounts-user-ip.ts`
 */
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { startProgram, startSite } from '#scripts/start-site.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { compare, printRatio } from './side-by-side.ts'

const CONNECTIONS = 32
const SECONDS = 3
const ROUNDS = 7

const postgres = await startThrowawayPostgres()
const site = await startSite({ env: { DATABASE_URL: postgres.url } })
const login = await fetch(`${site.origin}/api/processlogin`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ UserID: 'juan', UserPass: 'juan-demo-1' }),
})
const { data } = (await login.json()) as { data: { token: string; user: { UserNum: number } } }
const bare = await startProgram([join(import.meta.dirname, 'bare-select.ts'), postgres.url, String(data.user.UserNum)])
const headers = { Authorization: `Bearer ${data.token}` }
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

function ask(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} was answered ${answer.statusCode}.`))
      answer.resume().once('end', resolve).once('error', reject)
    }).once('error', (error: NodeJS.ErrnoException) => {
      // The server may close an idle connection just as it is used again; a new connection follows.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET'
      if (isStale) resolve(ask(url))
      else reject(error)
    })
  })
}

async function answersPerSecond(url: string): Promise<number> {
  const end = performance.now() + SECONDS * 1000
  let answered = 0
  const keepAsking = async () => {
    for (; performance.now() < end; answered++) await ask(url)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, keepAsking))
  return answered / SECONDS
}

printRatio(
  'GET /api/user-ip',
  'requests/s',
  await compare({
    ours: () => answersPerSecond(`${site.origin}/api/user-ip`),
    theirs: () => answersPerSecond(`${bare.origin}/`),
    rounds: ROUNDS,
  }),
  { atLeast: 0.5 },
)
agent.destroy()
await bare.stop()
await site.stop()
await postgres.stop()
