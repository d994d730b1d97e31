import { createServer, type Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'

/** Codes at the position of the version in a connection's first message. */
const FIRST_MESSAGE_CODES = { ssl: 80_877_103, cancel: 80_877_102, startup: 196_608 }
const IDLE = 'I'.charCodeAt(0)
/** The length and the state after the type byte of ReadyForQuery. */
const READY_BYTES = 6

const createMessage = (type: string, ...values: (string | number)[]): Buffer => {
  const body = Buffer.concat(
    values.map((value) => {
      if (typeof value === 'string') return Buffer.from(`${value}\0`)
      const number = Buffer.alloc(4)
      number.writeInt32BE(value)
      return number
    }),
  )
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

/** The server's first response to each client: the greeting, and the formats of values. */
const WELCOME_MESSAGE = Buffer.concat([
  createMessage('R', 0),
  ...Object.entries({
    server_version: '17.0',
    server_encoding: 'UTF8',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
  }).map(([name, value]) => createMessage('S', name, value)),
  Buffer.from(['Z'.charCodeAt(0), 0, 0, 0, 5, IDLE]),
])

/** Returns the position of a prepared statement's name in a message; -1 if the message has none. */
function findNameStart(type: string, bytes: Buffer): number {
  if (type === 'P') return 5
  if (type === 'B') return bytes.indexOf(0, 5) + 1
  return (type === 'D' || type === 'C') && bytes[5] === 'S'.charCodeAt(0) ? 6 : -1
}

/**
 * Prefixes the name of a message's statement with the connection's number, because names must be unique in a session.
 */
function renameStatement(type: string, bytes: Buffer, connection: number, onRename: (name: string) => void): Buffer {
  const start = findNameStart(type, bytes)
  const end = start === -1 ? -1 : bytes.indexOf(0, start)
  if (end <= start) return bytes
  const name = `${connection}_${bytes.toString('utf8', start, end)}`
  onRename(name)
  const renamedMessage = Buffer.concat([bytes.subarray(0, start), Buffer.from(name), bytes.subarray(end)])
  renamedMessage.writeInt32BE(renamedMessage.length - 1, 1)
  return renamedMessage
}

/**
 * Lets programs connect to an embedded database as to a server, on a free local port. The database has one session, so
 * connections take turns: one has it from the first message of a statement to its last, or to the end of its
 * transaction. All connections share the locks and settings of the session.
 *
 * @returns the port, and a function that closes it
 */
export async function openPglitePort(db: PGlite): Promise<{ port: number; close(): Promise<void> }> {
  let lastUse: Promise<unknown> = Promise.resolve()
  const sockets = new Set<Socket>()
  let connections = 0
  /** Waits for the connection's turn. @returns a function that ends the turn */
  const waitForTurn = async (): Promise<() => void> => {
    const earlierUse = lastUse
    const { promise, resolve } = Promise.withResolvers<void>()
    lastUse = promise
    await earlierUse
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
  let release: (() => void) | undefined
  let statement: Uint8Array[] = []
  try {
    for await (const { type, bytes } of readMessages(socket)) {
      if (type === 'X') return
      if (type === '') {
        const code = bytes.readInt32BE(4)
        if (code === FIRST_MESSAGE_CODES.cancel) return
        socket.write(code === FIRST_MESSAGE_CODES.ssl ? 'N' : WELCOME_MESSAGE)
        continue
      }
      statement.push(renameStatement(type, bytes, number, (name) => names.add(name)))
      // Sync ends a prepared statement; a simple query is a single message.
      if (type !== 'S' && type !== 'Q') continue
      release ??= await waitForTurn()
      for (const messageBytes of statement) {
        const answer = await db.runExclusive(() => db.execProtocolRaw(messageBytes))
        socket.write(answer)
        const isReady = answer.at(-READY_BYTES) === 'Z'.charCodeAt(0) && answer.at(-2) === 5
        if (isReady && answer.at(-1) === IDLE) {
          release?.()
          release = undefined
        }
      }
      statement = []
    }
  } finally {
    if (release !== undefined) await db.exec('rollback').catch(() => {})
    release ??= await waitForTurn()
    for (const name of names) await db.exec(`deallocate "${name}"`).catch(() => {})
    release()
  }
}

/** Yields the complete messages of a connection. Those before the session have no type byte. */
async function* readMessages(socket: Socket): AsyncGenerator<{ type: string; bytes: Buffer }> {
  let hasSession = false
  let pendingBytes = Buffer.alloc(0)
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    pendingBytes = Buffer.concat([pendingBytes, chunk])
    for (;;) {
      const typeBytes = hasSession ? 1 : 0
      if (pendingBytes.length < typeBytes + 4) break
      const length = typeBytes + pendingBytes.readInt32BE(typeBytes)
      if (pendingBytes.length < length) break
      const bytes = pendingBytes.subarray(0, length)
      pendingBytes = pendingBytes.subarray(length)
      if (!hasSession && bytes.readInt32BE(4) === FIRST_MESSAGE_CODES.startup) hasSession = true
      yield { type: typeBytes === 0 ? '' : String.fromCharCode(bytes[0] ?? 0), bytes }
    }
  }
}
