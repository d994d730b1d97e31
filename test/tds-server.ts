import { createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'

// A test double of SQL Server: it implements enough of TDS 7.4 (MS-TDS) for a login, batches, `sp_executesql` and transactions,
// and returns a test's responses. It does not interpret SQL.

type Value = string | number | bigint | Date | null
/** The result of a trigger, or of an earlier statement of a batch: rows, or only the number of changed rows. */
type EarlierResult = { rows?: Record<string, Value>[]; changed?: number }
/** The response to a statement. `before` are earlier results of the same batch; `drop` ends the connection instead. */
export type TdsAnswer =
  | { rows?: Record<string, Value>[]; changed?: number; before?: EarlierResult[] }
  | { error: { number: number; message: string } }
  | 'drop'
type Request = {
  /** The number of the connection, from 1. */
  connection: number
  kind: 'batch' | 'rpc' | 'begin' | 'commit' | 'rollback'
  /** The statement; the isolation level's number for `begin`. */
  text: string
  params: Record<string, { type: 'bigint' | 'nvarchar'; value: Value }>
}

/** The types of packets and tokens, and the flags of DONE, as MS-TDS numbers them. */
const PACKET = { batch: 0x01, rpc: 0x03, answer: 0x04, attention: 0x06, transaction: 0x0e, login: 0x10, prelogin: 0x12 }
const TOKEN = { columns: 0x81, error: 0xaa, loginAck: 0xad, row: 0xd1, envChange: 0xe3, done: 0xfd }
const DONE_MORE = 0x01
const DONE_ERROR = 0x02
const DONE_COUNT = 0x10
/** The descriptor of every transaction of the double. */
const TRANSACTION = Buffer.from([1, 2, 3, 4, 5, 6, 7, 8])
const COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34])

const COLUMN_TYPE = { integer: 0x26, datetime: 0x6f, text: 0xe7 }

const u8 = (value: number) => Buffer.from([value])
function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
function i64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}
const encodeUcs2 = (text: string) => Buffer.from(text, 'utf16le')
/** Encodes a text, preceded by one byte with its length in characters. */
const encodeShortText = (text: string) => Buffer.concat([u8(text.length), encodeUcs2(text)])
const encodeToken = (token: number, body: Buffer) => Buffer.concat([u8(token), u16(body.length), body])

const writeDone = (status: number, rows = 0) => Buffer.concat([u8(TOKEN.done), u16(status), u16(0), i64(BigInt(rows))])

/** Returns the description of a column, and a function that encodes its values. */
function encodeColumn(values: Value[]): { type: Buffer; write: (value: Value) => Buffer } {
  const sample = values.find((value) => value !== null)
  if (typeof sample === 'number' || typeof sample === 'bigint')
    return {
      type: Buffer.from([COLUMN_TYPE.integer, 8]),
      write: (value) => (value === null ? u8(0) : Buffer.concat([u8(8), i64(BigInt(value as number))])),
    }
  if (sample instanceof Date)
    return {
      type: Buffer.from([COLUMN_TYPE.datetime, 8]),
      write: (value) => {
        if (value === null) return u8(0)
        const at = value as Date
        const localTime = at.getTime() - at.getTimezoneOffset() * MINUTE_MS - Date.UTC(1900, 0, 1)
        // A datetime: the days since 1900, and the time of the day in 1/300 s.
        const days = Math.floor(localTime / DAY_MS)
        return Buffer.concat([u8(8), u32(days), u32(Math.round((localTime - days * DAY_MS) * 0.3))])
      },
    }
  return {
    type: Buffer.concat([u8(COLUMN_TYPE.text), u16(8000), COLLATION]),
    write: (value) => {
      if (value === null) return u16(0xffff)
      const bytes = encodeUcs2(String(value))
      return Buffer.concat([u16(bytes.length), bytes])
    },
  }
}

function writeRows(rows: Record<string, Value>[]): Buffer {
  const names = Object.keys(rows[0] ?? {})
  const columns = names.map((name) => encodeColumn(rows.map((row) => row[name] ?? null)))
  return Buffer.concat([
    u8(TOKEN.columns),
    u16(names.length),
    ...columns.map(({ type }, nth) => Buffer.concat([u32(0), u16(1), type, encodeShortText(names[nth] ?? '')])),
    ...rows.map((row) =>
      Buffer.concat([u8(TOKEN.row), ...columns.map(({ write }, nth) => write(row[names[nth] ?? ''] ?? null))]),
    ),
  ])
}

function writeError({ number, message }: { number: number; message: string }): Buffer {
  const body = [
    u32(number),
    u8(1),
    u8(16),
    u16(message.length),
    encodeUcs2(message),
    encodeShortText('double'),
    encodeShortText(''),
    u32(1),
  ]
  return Buffer.concat([encodeToken(TOKEN.error, Buffer.concat(body)), writeDone(DONE_ERROR)])
}

/** Parses a call of `sp_executesql`, whose parameters are the statement, the types of its values, and the values. */
function readProcedureCall(payload: Buffer): Pick<Request, 'text' | 'params'> {
  let at = payload.readUInt32LE(0)
  const takeBytes = (bytes: number) => {
    at += bytes
    return payload.subarray(at - bytes, at)
  }
  const name = takeBytes(2).readUInt16LE()
  takeBytes(name === 0xffff ? 2 : 2 * name)
  takeBytes(2)
  const parameters: [string, Request['params'][string]][] = []
  while (at < payload.length) {
    const param = takeBytes(2 * takeBytes(1).readUInt8()).toString('utf16le')
    takeBytes(1)
    const type = takeBytes(1).readUInt8()
    if (type === COLUMN_TYPE.integer) {
      takeBytes(1)
      const length = takeBytes(1).readUInt8()
      parameters.push([param, { type: 'bigint', value: length === 0 ? null : takeBytes(length).readBigInt64LE() }])
    } else if (type === COLUMN_TYPE.text) {
      const maxBytes = takeBytes(2).readUInt16LE()
      takeBytes(5)
      parameters.push([param, { type: 'nvarchar', value: maxBytes === 0xffff ? readLongText() : readTextValue() }])
    } else throw new Error(`The double does not support the type ${type}.`)
  }
  function readTextValue(): string | null {
    const length = takeBytes(2).readUInt16LE()
    return length === 0xffff ? null : takeBytes(length).toString('utf16le')
  }
  function readLongText(): string {
    takeBytes(8)
    let text = ''
    for (let length = takeBytes(4).readUInt32LE(); length > 0; length = takeBytes(4).readUInt32LE())
      text += takeBytes(length).toString('utf16le')
    return text
  }
  const [statement, , ...values] = parameters
  return {
    text: String(statement?.[1].value),
    params: Object.fromEntries(values.map(([param, value]) => [param.replace('@', ''), value])),
  }
}

function readRequest(type: number, payload: Buffer): Omit<Request, 'connection'> {
  if (type === PACKET.rpc) return { kind: 'rpc', ...readProcedureCall(payload) }
  const body = payload.subarray(payload.readUInt32LE(0))
  if (type === PACKET.batch) return { kind: 'batch', text: body.toString('utf16le'), params: {} }
  const transactionRequest = body.readUInt16LE(0)
  const kind = transactionRequest === 5 ? 'begin' : transactionRequest === 7 ? 'commit' : 'rollback'
  return { kind, text: kind === 'begin' ? String(body.readUInt8(2)) : '', params: {} }
}

function writeAnswer(kind: Request['kind'], answer: Exclude<TdsAnswer, 'drop'>): Buffer {
  if ('error' in answer) return writeError(answer.error)
  const transactionChanges: Record<string, [type: number, newValue: Buffer, oldValue: Buffer]> = {
    begin: [8, TRANSACTION, u8(0)],
    commit: [9, u8(0), TRANSACTION],
    rollback: [10, u8(0), TRANSACTION],
  }
  const change = transactionChanges[kind]
  if (change !== undefined) {
    const [type, ...values] = change
    const body = values.map((value) => (value.length === 8 ? Buffer.concat([u8(8), value]) : value))
    return Buffer.concat([encodeToken(TOKEN.envChange, Buffer.concat([u8(type), ...body])), writeDone(0)])
  }
  const { rows, changed = rows?.length ?? 0, before = [] } = answer
  const earlierResults = before.map((statement) => {
    const count = writeDone(DONE_COUNT | DONE_MORE, statement.changed ?? statement.rows?.length ?? 0)
    return statement.rows === undefined ? count : Buffer.concat([writeRows(statement.rows), count])
  })
  if (rows === undefined || rows.length === 0) return Buffer.concat([...earlierResults, writeDone(DONE_COUNT, changed)])
  return Buffer.concat([...earlierResults, writeRows(rows), writeDone(DONE_COUNT | DONE_MORE, changed), writeDone(0)])
}

/**
 * Listens on loopback until the test file ends.
 *
 * @param answer returns the response to a statement; undefined means no rows and no changes
 * @returns the address of a database for the driver, the statements so far, and a function that ends all connections
 */
export async function startTdsServer(answer: (request: Request) => TdsAnswer | undefined) {
  const requests: Request[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    const connection = ++connections
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let pendingBytes = Buffer.alloc(0)
    let payload = Buffer.alloc(0)
    const send = (body: Buffer) => {
      // A packet has at most 4,096 bytes, of which the header takes 8.
      const maxBytes = 4088
      for (let from = 0; from < body.length; from += maxBytes) {
        const packetBody = body.subarray(from, from + maxBytes)
        const header = Buffer.alloc(8)
        header.writeUInt8(PACKET.answer)
        header.writeUInt8(from + maxBytes >= body.length ? 1 : 0, 1)
        header.writeUInt16BE(packetBody.length + 8, 2)
        socket.write(Buffer.concat([header, packetBody]))
      }
    }
    const receiveMessage = (type: number, message: Buffer) => {
      if (type === PACKET.prelogin)
        // Version at 11, encryption (2, not supported) at 17.
        return send(Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2]))
      if (type === PACKET.login) {
        const loginAck = Buffer.concat([
          u8(1),
          Buffer.from([0x74, 0, 0, 4]),
          encodeShortText('double'),
          Buffer.from([16, 0, 0, 0]),
        ])
        return send(Buffer.concat([encodeToken(TOKEN.loginAck, loginAck), writeDone(0)]))
      }
      if (type === PACKET.attention) return send(writeDone(0x20))
      const request = { connection, ...readRequest(type, message) }
      requests.push(request)
      const answerData = answer(request) ?? {}
      if (answerData === 'drop') return socket.destroy()
      send(writeAnswer(request.kind, answerData))
    }
    socket.on('data', (chunk: Buffer) => {
      pendingBytes = Buffer.concat([pendingBytes, chunk])
      while (pendingBytes.length >= 8 && pendingBytes.length >= pendingBytes.readUInt16BE(2)) {
        const packet = pendingBytes.subarray(0, pendingBytes.readUInt16BE(2))
        pendingBytes = pendingBytes.subarray(packet.length)
        payload = Buffer.concat([payload, packet.subarray(8)])
        if ((packet.readUInt8(1) & 1) === 0) continue
        const message = payload
        payload = Buffer.alloc(0)
        receiveMessage(packet.readUInt8(0), message)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  after(() => {
    endConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: (database: string) => `mssql://tambayan:x@127.0.0.1:${port}/${database}?encrypt=false`,
    requests,
    endConnections,
  }
}
