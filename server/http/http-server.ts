import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { StartError } from '../config.ts'

/** How long the server waits for clients, in ms. */
export type ClientTimes = {
  /** For the headers of a request. */
  headersMs: number
  /** For the body of a call, from its headers on. */
  bodyMs: number
  /** For a whole request, uploads included; these have their own, shorter times (`upload-form.ts`). */
  requestMs: number
  /** Without a byte in either direction while a request is read or answered. */
  silenceMs: number
  /**
   * The wait for the next request on a connection. It is longer than a proxy's own, so a proxy never sends into a
   * closed connection.
   */
  keepAliveMs: number
}

/** How long the site waits for its callers. */
export const CLIENT_TIMES: ClientTimes = {
  headersMs: 10_000,
  bodyMs: 20_000,
  requestMs: 150_000,
  silenceMs: 30_000,
  keepAliveMs: 65_000,
}

/** Connections at once. Further ones are closed at once, before the process runs out of file descriptors. */
const CONNECTIONS_MAX = 4000

/**
 * Creates a server that slow clients cannot hold up: it closes connections that send or read too slowly.
 *
 * @param takesUpload whether a path takes files, whose bodies may take longer than those of calls. No header decides that,
 *   because a caller chooses headers.
 */
export function createHttpServer(
  listener: RequestListener,
  takesUpload: (path: string) => boolean,
  times: ClientTimes = CLIENT_TIMES,
): Server {
  const server = createServer(
    {
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      keepAliveTimeout: times.keepAliveMs,
      connectionsCheckingInterval: Math.min(1000, times.headersMs),
    },
    (req, res) => {
      const [path = ''] = (req.url ?? '').split('?')
      const isUpload = req.method === 'POST' && takesUpload(path)
      if (req.method !== 'GET' && req.method !== 'HEAD' && !isUpload) limitBodyTime(req, res, times.bodyMs)
      listener(req, res)
    },
  )
  server.timeout = times.silenceMs
  server.maxConnections = CONNECTIONS_MAX
  return server
}

/** Ends a request whose body has not come in time. */
function limitBodyTime(req: IncomingMessage, res: ServerResponse, bodyMs: number): void {
  const timer = setTimeout(() => {
    if (!res.headersSent) res.writeHead(408, { Connection: 'close', 'Cache-Control': 'no-store' })
    res.end(() => req.destroy())
  }, bodyMs)
  const stop = () => clearTimeout(timer)
  req.once('end', stop)
  res.once('close', stop)
}

/** Opens the port. @throws StartError when another program has it, or it cannot be used */
export function listenAt(server: Server, { host, port }: { host: string; port: number }): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${error.code})`
      reject(new StartError(`PORT ${port} on HOST ${host} ${why}.`))
    })
    server.listen(port, host, () => resolve(server))
  })
}
