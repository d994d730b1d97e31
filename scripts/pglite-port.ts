import { createServer, type Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'

/** Codes in the position of a first message's version. */
const NO_TYPE = { ssl: 80_877_103, cancel: 80_877_102, startup: 196_608 }
const IDLE = 'I'.charCodeAt(0)
/** A length and a state behind the letter of ReadyForQuery. */
const READY_BYTES = 6

const message = (type: string, ...parts: (string | number)[]): Buffer => {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(`${part}\0`)
      const number = Buffer.alloc(4)
      number.writeInt32BE(part)
      return number
    }),
  )
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

/** The server's answer to any client: the greeting, and the formats of values. */
const WELCOME = Buffer.concat([
  message('R', 0),
  ...Object.entries({
    server_version: '17.0',
    server_encoding: 'UTF8',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
  }).map(([name, value]) => message('S', name, value)),
  Buffer.from(['Z'.charCodeAt(0), 0, 0, 0, 5, IDLE]),
])

/** Where a message has the name of a prepared statement; -1 where it has none. */
function nameStart(type: string, bytes: Buffer): number {
  if (type === 'P') return 5
  if (type === 'B') return bytes.indexOf(0, 5) + 1
  return (type === 'D' || type === 'C') && bytes[5] === 'S'.charCodeAt(0) ? 6 : -1
}

/** A message with the connection's number before the name of its statement: names of one session are unique. */
function renameStatement(type: string, bytes: Buffer, connection: number, onName: (name: string) => void): Buffer {
  const start = nameStart(type, bytes)
  const end = start === -1 ? -1 : bytes.indexOf(0, start)
  if (end <= start) return bytes
  const name = `${connection}_${bytes.toString('utf8', start, end)}`
  onName(name)
  const renamed = Buffer.concat([bytes.subarray(0, start), Buffer.from(name), bytes.subarray(end)])
  renamed.writeInt32BE(renamed.length - 1, 1)
  return renamed
}

/**
 * Lets programs connect to an embedded database as to a server, at a free port of this machine. The database has one
 * session, so connections take turns: one has it from a statement's first message to its last, and to the end of its
 * transaction. Locks and settings of a session are everybody's.
 *
 * @returns the port, and how to close it
 */
export async function openPglitePort(db: PGlite): Promise<{ port: number; close(): Promise<void> }> {
  let last: Promise<unknown> = Promise.resolve()
  const sockets = new Set<Socket>()
  let connections = 0
  /** @returns a function that gives the turn back */
  const waitForTurn = async (): Promise<() => void> => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    return resolve
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    void serve(socket, db, { number: ++connections, waitForTurn })
      .catch(() => {})
      .finally(() => {
        sockets.delete(socket)
        socket.destroy()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await waitForTurn()
    },
  }
}

type Connection = { number: number; waitForTurn: () => Promise<() => void> }

async function serve(socket: Socket, db: PGlite, { number, waitForTurn }: Connection): Promise<void> {
  const names = new Set<string>()
  let giveBack: (() => void) | undefined
  let statement: Uint8Array[] = []
  try {
    for await (const { type, bytes } of readMessages(socket)) {
      if (type === 'X') return
      if (type === '') {
        const code = bytes.readInt32BE(4)
        if (code === NO_TYPE.cancel) return
        socket.write(code === NO_TYPE.ssl ? 'N' : WELCOME)
        continue
      }
      statement.push(renameStatement(type, bytes, number, (name) => names.add(name)))
      // Sync ends a prepared statement; a simple query is one message.
      if (type !== 'S' && type !== 'Q') continue
      giveBack ??= await waitForTurn()
      for (const part of statement) {
        const answer = await db.runExclusive(() => db.execProtocolRaw(part))
        socket.write(answer)
        const isReady = answer.at(-READY_BYTES) === 'Z'.charCodeAt(0) && answer.at(-2) === 5
        if (isReady && answer.at(-1) === IDLE) {
          giveBack?.()
          giveBack = undefined
        }
      }
      statement = []
    }
  } finally {
    if (giveBack !== undefined) await db.exec('rollback').catch(() => {})
    giveBack ??= await waitForTurn()
    for (const name of names) await db.exec(`deallocate "${name}"`).catch(() => {})
    giveBack()
  }
}

/** The messages of a connection, whole. The first ones, before a session, have no letter. */
async function* readMessages(socket: Socket): AsyncGenerator<{ type: string; bytes: Buffer }> {
  let isWelcome = false
  let rest = Buffer.alloc(0)
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const letter = isWelcome ? 1 : 0
      if (rest.length < letter + 4) break
      const length = letter + rest.readInt32BE(letter)
      if (rest.length < length) break
      const bytes = rest.subarray(0, length)
      rest = rest.subarray(length)
      if (!isWelcome && bytes.readInt32BE(4) === NO_TYPE.startup) isWelcome = true
      yield { type: letter === 0 ? '' : String.fromCharCode(bytes[0] ?? 0), bytes }
    }
  }
}
