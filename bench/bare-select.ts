/**
 * The other side of accounts-user-ip.ts: bare node:http that does one primary-key SELECT
 * a request through the same driver with as many connections as the site has, and answers
 * the row. `node bench/bare-select.ts DATABASE_URL USERNUM`
 */
import { createServer } from 'node:http'
import pg from 'pg'

const [connectionString, userNum] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 10 })

const server = createServer(async (_, res) => {
  const { rows } = await pool.query('select user_num, user_id from accounts where user_num = $1', [userNum])
  const body = JSON.stringify(rows[0])
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  res.end(body)
}).listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
})
process.once('SIGTERM', () => process.exit(0))
