import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { SMTPServer } from 'smtp-server'

type ReceivedMail = { from: string; to: string[]; source: string }

type MailServerOptions = { refuse?: string[]; port?: number; account?: { user: string; password: string } }

/**
 * Starts a real mail server on loopback, until the test file ends. It records received emails and rejects the addresses
 * in `refuse`. With an `account` it requires a login.
 */
export async function startMailServer({ refuse = [], port = 0, account }: MailServerOptions = {}) {
  const receivedMails: ReceivedMail[] = []
  let connectionCount = 0
  const server = new SMTPServer({
    onConnect: (_, done) => {
      connectionCount++
      done()
    },
    authOptional: account === undefined,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === account?.user && password === account?.password
        ? done(null, { user: username })
        : done(new Error('Maling password')),
    closeTimeout: 100,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _, done) => {
      const refusal = Object.assign(new Error('No such mailbox'), { responseCode: 550 })
      done(refuse.includes(address) ? refusal : undefined)
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        receivedMails.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  after(stop)
  const { port: actualPort } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${actualPort}`,
    port: actualPort,
    received: receivedMails,
    stop,
    countConnections: () => connectionCount,
  }
}

/**
 * Starts a mail server on loopback that sends one byte at a time and never ends a line: from its greeting on, or with
 * `afterMailTo` only after the text of an email to this recipient. `hungUp` resolves when the first such connection
 * closes.
 */
export async function startDrippingMailServer({ afterMailTo }: { afterMailTo?: string } = {}) {
  const hangUp = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    const startDripping = () => {
      const dripTimer = setInterval(() => socket.write('2'), 5)
      socket.once('close', () => {
        clearInterval(dripTimer)
        hangUp.resolve()
      })
    }
    socket.on('error', () => {})
    if (afterMailTo === undefined) return startDripping()
    let to = ''
    let isData = false
    socket.write('220 patak\r\n')
    createInterface(socket).on('line', (line) => {
      if (isData && line !== '.') return
      if (/^RCPT/i.test(line)) to = line
      if (isData && to.includes(afterMailTo)) return startDripping()
      isData = /^DATA/i.test(line)
      socket.write(isData ? '354 go on\r\n' : '250 well\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, hungUp: hangUp.promise }
}

/** Returns the header fields of an email by lower-case name, with folded lines joined. */
export function parseHeaders(source: string): Record<string, string> {
  const head = source.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return Object.fromEntries(lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]+:\s*/, '')]))
}

/** Returns the text and HTML parts of an email, decoded. */
export function parseParts(source: string): { text: string; html: string } {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1] ?? ''
  const parts = source.split(`--${boundary}`)
  const readPart = (type: string) => {
    const messagePart = parts.find((text) => new RegExp(`^\\s*Content-Type: ${type}`, 'i').test(text)) ?? ''
    const [head = '', ...body] = messagePart.split(/\r?\n\r?\n/)
    const content = body.join('\n\n')
    if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString('utf8')
    if (!/quoted-printable/i.test(head)) return content.replace(/\r\n/g, '\n')
    const bytes = content
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Buffer.from(bytes, 'latin1').toString('utf8').replace(/\r\n/g, '\n')
  }
  return { text: readPart('text/plain'), html: readPart('text/html') }
}
