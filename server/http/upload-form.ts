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
const UNFINISHED_FORMS_MAX_BYTES = 512 * 1024 * 1024
/** The maximum number of forms of one network that are read at the same time. */
const CONCURRENT_FORMS_MAX = 32
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
  unfinishedMaxBytes?: number
}

/** The network of a form's sender, and the folder for its files. */
type UploadSource = { network: string; folder: string }

/** A parsed form. Its files are on disk until `release` is called. */
export type UploadForm = { form: FormData; release(): Promise<void> }

let usedBytes = 0
const readingCounts = new Map<string, number>()

/**
 * Reads a form with files while it arrives. Refuses it as soon as it is too large, too slow or has too many parts. The files
 * are written to the disk, so a form takes little memory.
 *
 * @returns the fields and files. The caller must call `release` when the call is answered
 * @throws Refusal 400 for an unreadable form, 408, 413, 503 when the disk is full, or other forms use too
 * much space or are too many
 */
export async function readUploadForm(
  request: Request,
  limits: UploadLimits,
  source: UploadSource,
): Promise<UploadForm> {
  const { maxBytes, messages, unfinishedMaxBytes = UNFINISHED_FORMS_MAX_BYTES } = limits
  const createTooLargeRefusal = () => new Refusal(413, 'too-large', messages.tooLarge)
  const createUnreadableRefusal = () => new Refusal(400, 'unreadable-form', messages.unreadable)
  const createBusyRefusal = () =>
    new Refusal(503, 'uploads-busy', messages.busy, { retryAfterSeconds: RETRY_AFTER_SECONDS })

  const type = request.headers.get('Content-Type') ?? ''
  const boundary = /^multipart\/form-data; ?boundary=([\w'()+,\-./:=?]{1,70})$/i.exec(type)?.[1]
  if (boundary === undefined) throw createUnreadableRefusal()
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw createTooLargeRefusal()
  const reader = request.body?.getReader()
  if (reader === undefined) throw createUnreadableRefusal()
  const folder = await prepareFolder(source.folder)
  const concurrentForms = readingCounts.get(source.network) ?? 0
  if (concurrentForms >= CONCURRENT_FORMS_MAX) throw createBusyRefusal()
  readingCounts.set(source.network, concurrentForms + 1)

  const parser = createParser(boundary, limits, folder)
  let formBytes = 0
  const release = async () => {
    usedBytes -= formBytes
    formBytes = 0
    await parser.removeFiles()
  }
  let hasTimedOut = false
  const giveUp = () => {
    hasTimedOut = true
    void reader.cancel().catch(() => {})
  }
  const readingTimer = setTimeout(giveUp, READING_MAX_MS)
  let silenceTimer = setTimeout(giveUp, SILENCE_MAX_MS)
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw createUnreadableRefusal()
      })
      if (hasTimedOut) throw new Refusal(408, 'too-slow', messages.tooSlow)
      if (done) break
      clearTimeout(silenceTimer)
      silenceTimer = setTimeout(giveUp, SILENCE_MAX_MS)
      if (formBytes + value.length > maxBytes) throw createTooLargeRefusal()
      if (usedBytes + value.length > unfinishedMaxBytes) throw createBusyRefusal()
      usedBytes += value.length
      formBytes += value.length
      await parser.write(value)
      if (parser.isDiskFull()) throw createBusyRefusal()
      if (parser.hasFailed()) throw createUnreadableRefusal()
    }
    const form = await parser.end()
    if (parser.isDiskFull()) throw createBusyRefusal()
    if (form === undefined) throw createUnreadableRefusal()
    return { form, release }
  } catch (error) {
    parser.destroy()
    void reader.cancel().catch(() => {})
    await release()
    throw error
  } finally {
    clearTimeout(readingTimer)
    clearTimeout(silenceTimer)
    const remainingForms = (readingCounts.get(source.network) ?? 1) - 1
    if (remainingForms === 0) readingCounts.delete(source.network)
    else readingCounts.set(source.network, remainingForms)
  }
}

const preparedFolders = new Map<string, Promise<string>>()

/** Creates the folder at its first use, and deletes files that a crash left. */
function prepareFolder(folder: string): Promise<string> {
  const existingFolder = preparedFolders.get(folder)
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
  preparedFolders.set(folder, preparation)
  preparation.catch(() => preparedFolders.delete(folder))
  return preparation
}

type FormPart = { name: string; value: string } | { name: string; fileName: string; type: string; path: string }

/** Creates a parser that gets a form in blocks, writes its files to `folder` and collects its fields. */
function createParser(boundary: string, { maxParts }: UploadLimits, folder: string) {
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    defParamCharset: 'utf8',
    preservePath: true,
    // busboy reports a limit when it is reached, not when it is exceeded.
    limits: { parts: maxParts + 1, fieldSize: TEXT_MAX_CHARACTERS },
  })
  const parts: FormPart[] = []
  const pendingWrites: Promise<void>[] = []
  let hasFailed = false
  let isDiskFull = false
  let characters = 0
  const markFailed = () => {
    hasFailed = true
  }
  const writeFile = async (stream: Readable, path: string) => {
    await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch((error: { code?: string }) => {
      if (error.code === 'ENOSPC' || error.code === 'EDQUOT') isDiskFull = true
      markFailed()
    })
  }
  parser.on('error', markFailed)
  parser.on('partsLimit', markFailed)
  parser.on('field', (name: string | undefined, value, { valueTruncated }) => {
    characters += value.length
    if (name === undefined || valueTruncated || characters > TEXT_MAX_CHARACTERS) markFailed()
    else parts.push({ name: unescapeName(name), value })
  })
  parser.on('file', (name: string | undefined, stream, { filename, mimeType }) => {
    if (name === undefined || hasFailed) {
      stream.resume()
      return markFailed()
    }
    const path = join(folder, `${randomUUID()}.part`)
    parts.push({ name: unescapeName(name), fileName: unescapeName(filename ?? ''), type: mimeType, path })
    pendingWrites.push(writeFile(stream, path))
  })

  const feedParser = (chunk: Uint8Array) =>
    new Promise<void>((resolve) => {
      parser.write(chunk, () => resolve())
    })
  let block = Buffer.alloc(BLOCK_BYTES)
  let filledBytes = 0
  const flush = async () => {
    if (filledBytes === 0) return
    const filledBlock = block.subarray(0, filledBytes)
    block = Buffer.alloc(BLOCK_BYTES)
    filledBytes = 0
    await feedParser(filledBlock)
  }
  return {
    /** Combines small pieces into blocks, because for each piece busboy stores an object, which may be larger than the piece. */
    async write(chunk: Uint8Array): Promise<void> {
      if (filledBytes + chunk.length > BLOCK_BYTES) await flush()
      if (chunk.length > BLOCK_BYTES) return feedParser(chunk)
      block.set(chunk, filledBytes)
      filledBytes += chunk.length
    },
    hasFailed: () => hasFailed,
    isDiskFull: () => isDiskFull,
    /** Returns the complete form; undefined if it is malformed, too large or could not be written. */
    async end(): Promise<FormData | undefined> {
      await flush()
      parser.end()
      await finished(parser).catch(markFailed)
      await Promise.all(pendingWrites)
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
      await Promise.all(pendingWrites)
      for (const part of parts) if ('path' in part) await rm(part.path, { force: true })
    },
  }
}

/** Decodes the three characters that browsers escape in the names of fields and files, as the HTML standard requires. */
function unescapeName(name: string): string {
  return name.replace(/%(?:0A|0D|22)/gi, decodeURIComponent)
}
