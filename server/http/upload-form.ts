import { finished } from 'node:stream/promises'
import busboy from 'busboy'
import { Refusal } from '../errors.ts'

/** What all forms that are being read or worked on may hold together. */
const HELD_MAX_BYTES = 48 * 1024 * 1024
const READING_MAX_MS = 120_000
const RETRY_AFTER_SECONDS = 10
const BLOCK_BYTES = 16 * 1024

export type UploadLimits = {
  maxBytes: number
  /** How many fields and files a form may have. */
  maxParts: number
  said: { tooLarge: string; unreadable: string; busy: string; tooSlow: string }
}

/** A form that was read. Its bytes count against what all forms may hold until `release` is called. */
export type UploadForm = { form: FormData; release(): void }

let held = 0

/**
 * Reads a form with files while it arrives, and refuses it as soon as it is too large, too slow or
 * has too many parts.
 *
 * @returns its fields and files; the caller releases them when the call is answered
 * @throws Refusal 400 for what is no readable form, 408, 413, 503 when other forms hold too much
 */
export async function readUploadForm(request: Request, limits: UploadLimits): Promise<UploadForm> {
  const { maxBytes, maxParts, said } = limits
  const tooLarge = () => new Refusal(413, 'too-large', said.tooLarge)
  const unreadable = () => new Refusal(400, 'unreadable-form', said.unreadable)
  const busy = () => new Refusal(503, 'uploads-busy', said.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS })

  const type = request.headers.get('Content-Type') ?? ''
  const boundary = /^multipart\/form-data; ?boundary=([\w'()+,\-./:=?]{1,70})$/i.exec(type)?.[1]
  if (boundary === undefined) throw unreadable()
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw tooLarge()
  const reader = request.body?.getReader()
  if (reader === undefined) throw unreadable()

  const parser = createParser(boundary, { maxBytes, maxParts })
  let own = 0
  const release = () => {
    held -= own
    own = 0
  }
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void reader.cancel().catch(() => {})
  }, READING_MAX_MS)
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw unreadable()
      })
      if (isLate) throw new Refusal(408, 'too-slow', said.tooSlow)
      if (done) break
      if (own + value.length > maxBytes) throw tooLarge()
      if (held + value.length > HELD_MAX_BYTES) throw busy()
      held += value.length
      own += value.length
      parser.write(value)
      if (parser.hasFailed()) throw unreadable()
    }
    const form = await parser.end()
    if (form === undefined) throw unreadable()
    return { form, release }
  } catch (error) {
    release()
    parser.destroy()
    void reader.cancel().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
}

type Part =
  | { name: string; value: string }
  | { name: string; fileName: string; type: string; chunks: Buffer<ArrayBuffer>[] }

/** busboy, fed in blocks and collected into one form. */
function createParser(boundary: string, { maxBytes, maxParts }: { maxBytes: number; maxParts: number }) {
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    defParamCharset: 'utf8',
    preservePath: true,
    // busboy reports its limit when it is reached, not when it is passed.
    limits: { parts: maxParts + 1, fieldSize: maxBytes },
  })
  const parts: Part[] = []
  let failed = false
  const fail = () => {
    failed = true
  }
  parser.on('error', fail)
  parser.on('partsLimit', fail)
  parser.on('field', (name: string | undefined, value) => {
    if (name === undefined) fail()
    else parts.push({ name: unescapeName(name), value })
  })
  parser.on('file', (name: string | undefined, stream, { filename, mimeType }) => {
    const chunks: Buffer<ArrayBuffer>[] = []
    if (name === undefined) fail()
    else parts.push({ name: unescapeName(name), fileName: unescapeName(filename ?? ''), type: mimeType, chunks })
    stream.on('error', fail)
    stream.on('data', (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk))
  })

  let block = Buffer.alloc(BLOCK_BYTES)
  let filled = 0
  const flush = () => {
    if (filled === 0) return
    parser.write(block.subarray(0, filled))
    block = Buffer.alloc(BLOCK_BYTES)
    filled = 0
  }
  return {
    /** Copies small pieces together first: busboy keeps every piece as an object that outweighs its few bytes many times. */
    write(piece: Uint8Array) {
      if (filled + piece.length > BLOCK_BYTES) flush()
      if (piece.length > BLOCK_BYTES) return void parser.write(piece)
      block.set(piece, filled)
      filled += piece.length
    },
    hasFailed: () => failed,
    /** The whole form, or nothing when it is cut off or malformed. */
    async end(): Promise<FormData | undefined> {
      flush()
      parser.end()
      await finished(parser).catch(fail)
      if (failed) return undefined
      const form = new FormData()
      for (const part of parts) {
        if ('value' in part) form.append(part.name, part.value)
        else form.append(part.name, new File(part.chunks, part.fileName, { type: part.type }))
      }
      return form
    },
    destroy: () => void parser.destroy(),
  }
}

/** Browsers escape these three characters in the names of fields and files, as the HTML standard says. */
function unescapeName(name: string): string {
  return name.replace(/%(?:0A|0D|22)/gi, decodeURIComponent)
}
