/**
 * The client of `money-buyitem.ts`, a separate process that buys over HTTP on plain sockets.
 *
 * It competes with the site and the database for the same processors, as pgbench does on the other side of the
 * comparison. A client made of `node:http` takes more processor time than the site needs to answer; pgbench, written in
 * C, takes next to none. So this one writes the bytes of a request itself and reads no more of a response than its
 * status and its length. The site receives normal requests on a connection that stays open, one at a time.
 *
 * Started with `fork`; each message starts one round and is answered with its purchases per second.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Round = { origin: string; item: number; tokens: string[]; atOnce: number; seconds: number }

/** Reads one response by its Content-Length. @returns its status */
async function readAnswer(socket: Socket): Promise<number> {
  let answer = ''
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    answer += chunk.toString('latin1')
    const headEnd = answer.indexOf('\r\n\r\n')
    if (headEnd === -1) continue
    const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, headEnd))?.[1])
    if (Number.isNaN(length)) throw new Error(`An answer without its length: ${answer}`)
    if (answer.length >= headEnd + 4 + length) return Number(answer.slice(9, 12))
  }
}

async function run({ origin, item, tokens, atOnce, seconds }: Round): Promise<number> {
  const { hostname, port, host } = new URL(origin)
  const start = performance.now()
  let bought = 0
  const repeatPurchases = async () => {
    const socket = connect(Number(port), hostname).setNoDelay()
    await once(socket, 'connect')
    while (performance.now() - start < seconds * 1000) {
      const token = tokens[Math.floor(Math.random() * tokens.length)]
      socket.write(
        `POST /api/buyitem?productnum=${item} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n` +
          `Idempotency-Key: ${randomUUID()}\r\nContent-Length: 0\r\n\r\n`,
      )
      const status = await readAnswer(socket)
      if (status !== 200) throw new Error(`A purchase was answered ${status}.`)
      bought++
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: atOnce }, repeatPurchases))
  return (bought * 1000) / (performance.now() - start)
}

process.on('message', async (round: Round) => process.send?.(await run(round)))
