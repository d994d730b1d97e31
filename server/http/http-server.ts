import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { StartError } from '../config.ts'

/** The timeouts for clients, in ms. */
export type ClientTimeouts = {
  /** For the headers of a request. */
  headersMs: number
  /** For the body of a call, from its headers on. */
  bodyMs: number
  /** For a whole request, including uploads, which also have shorter timeouts (`upload-form.ts`). */
  requestMs: number
  /** Without a byte in either direction while a request is read or answered. */
  silenceMs: number
  /**
   * For the next request on a connection. It is longer than the timeout of common proxies, so a proxy never sends a
   * request over a closed connection.
   */
  keepAliveMs: number
}

/** The site's timeouts. */
export const CLIENT_TIMEOUTS: ClientTimeouts = {
  headersMs: 10_000,
  bodyMs: 20_000,
  requestMs: 150_000,
  silenceMs: 30_000,
  keepAliveMs: 65_000,
}

/** The maximum number of connections. Further ones are closed, so the process does not run out of file descriptors. */
const CONNECTIONS_MAX = 4000

/**
 * Creates a server that closes connections of clients that send or read too slowly.
 *
 * @param isUploadPath returns whether a path accepts files, whose bodies may take longer than those of calls. Headers don't
 *   decide that, because the caller chooses them
 */
export function createHttpServer(
  listener: RequestListener,
  isUploadPath: (path: string) => boolean,
  timeouts: ClientTimeouts = CLIENT_TIMEOUTS,
): Server {
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: Math.min(1000, timeouts.headersMs),
    },
    (req, res) => {
      const [path = ''] = (req.url ?? '').split('?')
      const isUpload = req.method === 'POST' && isUploadPath(path)
      if (req.method !== 'GET' && req.method !== 'HEAD' && !isUpload) limitBodyTime(req, res, timeouts.bodyMs)
      listener(req, res)
    },
  )
  server.timeout = timeouts.silenceMs
  server.maxConnections = CONNECTIONS_MAX
  return server
}

/** Answers 408 if a request's body does not arrive in time (FAIL-10). */
function limitBodyTime(req: IncomingMessage, res: ServerResponse, bodyMs: number): void {
  const timer = setTimeout(() => {
    if (!res.headersSent) res.writeHead(408, { Connection: 'close', 'Cache-Control': 'no-store' })
    res.end(() => req.destroy())
  }, bodyMs)
  const stopTimer = () => clearTimeout(timer)
  req.once('end', stopTimer)
  res.once('close', stopTimer)
}

/** Opens the port. @throws StartError when another program uses it, or it cannot be opened */
export function listenAt(server: Server, { host, port }: { host: string; port: number }): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = error.code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${error.code})`
      reject(new StartError(`PORT ${port} on HOST ${host} ${problem}.`))
    })
    server.listen(port, host, () => resolve(server))
  })
}
