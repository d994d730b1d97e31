import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { HOUR_MS } from '#contract/durations.ts'
import { Refusal } from '../errors.ts'

/** The disk space that all unfinished forms may use together. */
const HELD_MAX_BYTES = 512 * 1024 * 1024
/** How many forms of one network are read at the same time. */
const AT_ONCE_MAX = 32
/** The total size of a form's texts, which are in memory, unlike its files. */
const TEXT_MAX_CHARACTERS = 256 * 1024
const READING_MAX_MS = 120_000
const SILENCE_MAX_MS = 15_000
const RETRY_AFTER_SECONDS = 10
const BLOCK_BYTES = 16 * 1024
const LEFTOVER_AGE_MS = HOUR_MS

export type UploadLimits = {
  maxBytes: number
  /** The maximum number of fields and files in a form. */
  maxParts: number
  messages: { tooLarge: string; unreadable: string; busy: string; tooSlow: string }
  heldMaxBytes?: number
}

/** The network of a form's sender, and the folder for its files. */
type From = { network: string; folder: string }

/** A parsed form. Its files are on disk until `release` is called. */
export type UploadForm = { form: FormData; release(): Promise<void> }

let usedBytes = 0
const reading = new Map<string, number>()

/**
 * Reads a form with files while it arrives. Refuses it as soon as it is too large, too slow or has too many parts. The files
 * are written to the disk, so any form takes about 100 kB of memory.
 *
 * @returns the fields and files. The caller must call `release` when the call is answered
 * @throws Refusal 400 for an unreadable form, 408, 413, 503 when other forms use too much space
 */
export async function readUploadForm(request: Request, limits: UploadLimits, from: From): Promise<UploadForm> {
  const { maxBytes, messages, heldMaxBytes = HELD_MAX_BYTES } = limits
  const tooLarge = () => new Refusal(413, 'too-large', messages.tooLarge)
  const unreadable = () => new Refusal(400, 'unreadable-form', messages.unreadable)
  const busy = () => new Refusal(503, 'uploads-busy', messages.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS })

  const type = request.headers.get('Content-Type') ?? ''
  const boundary = /^multipart\/form-data; ?boundary=([\w'()+,\-./:=?]{1,70})$/i.exec(type)?.[1]
  if (boundary === undefined) throw unreadable()
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw tooLarge()
  const reader = request.body?.getReader()
  if (reader === undefined) throw unreadable()
  const folder = await openFolder(from.folder)
  const atOnce = reading.get(from.network) ?? 0
  if (atOnce >= AT_ONCE_MAX) throw busy()
  reading.set(from.network, atOnce + 1)

  const parser = createParser(boundary, limits, folder)
  let formBytes = 0
  const release = async () => {
    usedBytes -= formBytes
    formBytes = 0
    await parser.removeFiles()
  }
  let isLate = false
  const giveUp = () => {
    isLate = true
    void reader.cancel().catch(() => {})
  }
  const wholeTimer = setTimeout(giveUp, READING_MAX_MS)
  let silenceTimer = setTimeout(giveUp, SILENCE_MAX_MS)
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw unreadable()
      })
      if (isLate) throw new Refusal(408, 'too-slow', messages.tooSlow)
      if (done) break
      clearTimeout(silenceTimer)
      silenceTimer = setTimeout(giveUp, SILENCE_MAX_MS)
      if (formBytes + value.length > maxBytes) throw tooLarge()
      if (usedBytes + value.length > heldMaxBytes) throw busy()
      usedBytes += value.length
      formBytes += value.length
      await parser.write(value)
      if (parser.hasNoRoom()) throw busy()
      if (parser.hasFailed()) throw unreadable()
    }
    const form = await parser.end()
    if (parser.hasNoRoom()) throw busy()
    if (form === undefined) throw unreadable()
    return { form, release }
  } catch (error) {
    parser.destroy()
    void reader.cancel().catch(() => {})
    await release()
    throw error
  } finally {
    clearTimeout(wholeTimer)
    clearTimeout(silenceTimer)
    const others = (reading.get(from.network) ?? 1) - 1
    if (others === 0) reading.delete(from.network)
    else reading.set(from.network, others)
  }
}

const folders = new Map<string, Promise<string>>()

/** Creates the folder at its first use, and deletes files that a crash left. */
function openFolder(folder: string): Promise<string> {
  const existingFolder = folders.get(folder)
  if (existingFolder !== undefined) return existingFolder
  const preparation = (async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      const { mtimeMs = Date.now() } = await stat(path).catch(() => ({}) as { mtimeMs?: number })
      if (Date.now() - mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true })
    }
    return folder
  })()
  folders.set(folder, preparation)
  preparation.catch(() => folders.delete(folder))
  return preparation
}

type Part = { name: string; value: string } | { name: string; fileName: string; type: string; path: string }

/** Creates a parser that gets a form in blocks, writes its files to `folder` and collects its fields. */
function createParser(boundary: string, { maxParts }: UploadLimits, folder: string) {
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    defParamCharset: 'utf8',
    preservePath: true,
    // busboy reports a limit when it is reached, not when it is exceeded.
    limits: { parts: maxParts + 1, fieldSize: TEXT_MAX_CHARACTERS },
  })
  const parts: Part[] = []
  const writing: Promise<void>[] = []
  let hasFailed = false
  let isFull = false
  let characters = 0
  const fail = () => {
    hasFailed = true
  }
  const writeFile = async (stream: Readable, path: string) => {
    await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch((error: { code?: string }) => {
      if (error.code === 'ENOSPC' || error.code === 'EDQUOT') isFull = true
      fail()
    })
  }
  parser.on('error', fail)
  parser.on('partsLimit', fail)
  parser.on('field', (name: string | undefined, value, { valueTruncated }) => {
    characters += value.length
    if (name === undefined || valueTruncated || characters > TEXT_MAX_CHARACTERS) fail()
    else parts.push({ name: unescapeName(name), value })
  })
  parser.on('file', (name: string | undefined, stream, { filename, mimeType }) => {
    if (name === undefined || hasFailed) {
      stream.resume()
      return fail()
    }
    const path = join(folder, `${randomUUID()}.part`)
    parts.push({ name: unescapeName(name), fileName: unescapeName(filename ?? ''), type: mimeType, path })
    writing.push(writeFile(stream, path))
  })

  const feed = (piece: Uint8Array) =>
    new Promise<void>((resolve) => {
      parser.write(piece, () => resolve())
    })
  let block = Buffer.alloc(BLOCK_BYTES)
  let filledBytes = 0
  const flush = async () => {
    if (filledBytes === 0) return
    const full = block.subarray(0, filledBytes)
    block = Buffer.alloc(BLOCK_BYTES)
    filledBytes = 0
    await feed(full)
  }
  return {
    /** Combines small pieces to blocks, because busboy stores an object for each piece that is much larger than a few bytes. */
    async write(piece: Uint8Array): Promise<void> {
      if (filledBytes + piece.length > BLOCK_BYTES) await flush()
      if (piece.length > BLOCK_BYTES) return feed(piece)
      block.set(piece, filledBytes)
      filledBytes += piece.length
    },
    hasFailed: () => hasFailed,
    hasNoRoom: () => isFull,
    /** Returns the complete form. @throws when it was aborted or is malformed */
    async end(): Promise<FormData | undefined> {
      await flush()
      parser.end()
      await finished(parser).catch(fail)
      await Promise.all(writing)
      if (hasFailed) return undefined
      const form = new FormData()
      for (const part of parts) {
        if ('value' in part) form.append(part.name, part.value)
        else form.append(part.name, new File([await openAsBlob(part.path)], part.fileName, { type: part.type }))
      }
      return form
    },
    destroy: () => void parser.destroy(),
    async removeFiles(): Promise<void> {
      await Promise.all(writing)
      for (const part of parts) if ('path' in part) await rm(part.path, { force: true })
    },
  }
}

/** Decodes the three characters that browsers escape in the names of fields and files, as the HTML standard requires. */
function unescapeName(name: string): string {
  return name.replace(/%(?:0A|0D|22)/gi, decodeURIComponent)
}
