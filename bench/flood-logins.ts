/** Keeps 64 logins under way at any moment until it is ended, half of them wrong. `node bench/flood-logins.ts ORIGIN` */
import { Agent, request } from 'node:http'

const AT_ONCE = 64
const [origin = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
const bodies = ['juan-demo-1', 'mali-ito'].map((UserPass) => JSON.stringify({ UserID: 'juan', UserPass }))

function logIn(body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    request(`${origin}/api/processlogin`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
      .once('error', reject)
      .end(body)
  })
}

async function keepLoggingIn(nth: number): Promise<never> {
  for (let turn = nth; ; turn++) {
    const status = await logIn(bodies[turn % 2] ?? '')
    if (status !== 200) throw new Error(`A login was answered ${status}.`)
    if (turn === nth && nth === AT_ONCE - 1) console.log(`flooding ${origin}`)
  }
}

process.once('SIGTERM', () => process.exit(0))
await Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => keepLoggingIn(nth)))
