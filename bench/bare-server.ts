/**
 * The other side of cached-pages.ts: bare node:http that answers everything with the bytes
 * and headers it got once from the address it is given. `node bench/bare-server.ts URL`
 */
import { createServer, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { BROWSER_HEADERS } from './load.ts'

/** Headers that node:http adds to every response. */
const OF_NODE = ['date', 'connection', 'keep-alive']

const [url] = process.argv.slice(2)
if (url === undefined) throw new Error('Which address shall be answered?')

const answer = await new Promise<IncomingMessage>((resolve, reject) =>
  request(url, { headers: BROWSER_HEADERS }, resolve).on('error', reject).end(),
)
const body = await buffer(answer)
const headers: string[] = []
for (let at = 0; at < answer.rawHeaders.length; at += 2) {
  const [name = '', value = ''] = answer.rawHeaders.slice(at, at + 2)
  if (!OF_NODE.includes(name.toLowerCase())) headers.push(name, value)
}

const server = createServer((_, res) => {
  res.writeHead(200, headers)
  res.end(body)
}).listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
})
process.once('SIGTERM', () => process.exit(0))
