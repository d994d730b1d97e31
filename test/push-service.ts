import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Agent } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { after } from 'node:test'
import type { PushServices } from '#server/push/services.ts'

const ORIGIN = 'https://push.example'

type PushRequest = { path: string; authorization: string; body: Buffer }

/** Connects to a port of this machine without TLS, whatever address is requested. */
class LocalAgent extends Agent {
  readonly #getPort: () => number
  constructor(getPort: () => number) {
    super()
    this.#getPort = getPort
  }
  override createConnection() {
    return connect(this.#getPort(), '127.0.0.1')
  }
}

/** Starts a push service that runs until the file's tests end. It records messages and answers with `status`. */
export async function startPushService() {
  const requests: PushRequest[] = []
  const service = { requests, status: 201, services: {} as PushServices, createDevice }
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const { url: path = '', headers } = req
    requests.push({ path, authorization: headers.authorization ?? '', body: Buffer.concat(chunks) })
    res.writeHead(service.status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  service.services = {
    isKnown: (endpoint) => endpoint.startsWith(`${ORIGIN}/`),
    agent: new LocalAgent(() => (server.address() as AddressInfo).port),
  }

  /** Creates a browser's subscription, and a function that decrypts the messages sent to it. */
  function createDevice() {
    const receiverKeys = createECDH('prime256v1')
    const publicKey = receiverKeys.generateKeys()
    const auth = randomBytes(16)
    const path = `/device/${randomBytes(8).toString('hex')}`
    const subscription = {
      endpoint: ORIGIN + path,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    }

    /** Decrypts a message (RFC 8188, RFC 8291). */
    function decryptMessage(body: Buffer) {
      // Five bytes with the lengths of a record and of the sender's key are between the salt and the key.
      const [salt, sender, ciphertext] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)]
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
      const secret = Buffer.from(hkdfSync('sha256', receiverKeys.computeSecret(sender), auth, info, 32))
      const deriveBytes = (label: string, length: number) =>
        Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${label}\0`), length))
      const decipher = createDecipheriv('aes-128-gcm', deriveBytes('aes128gcm', 16), deriveBytes('nonce', 12))
      decipher.setAuthTag(ciphertext.subarray(-16))
      const text = Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()]).toString()
      return JSON.parse(text.slice(0, text.lastIndexOf('}') + 1))
    }
    return {
      subscription,
      readMessages: () => requests.filter((request) => request.path === path).map(({ body }) => decryptMessage(body)),
    }
  }
  return service
}
