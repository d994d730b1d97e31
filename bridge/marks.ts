import { writeFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import type { Finding } from '#contract/bridge.ts'
import { MARK_MAX_BYTES, MARKS_AT_ONCE, type reportGame, sendMarks } from '#contract/bridge-characters.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { DEFAULT_MARK_FORMAT, type GameConfig, type MarkFormat } from './config.ts'
import { createGoodFinding, createNote } from './findings.ts'
import { connectGame } from './game/connect.ts'
import { type Dialect, type GameConnection, GameUnavailable, toNumber, toText } from './game/driver.ts'
import { type Catalogue, MissingNames, type ResolvedTable, readCatalogue, resolveTable } from './game/names.ts'
import { hashText, toWholeNumber } from './game/values.ts'
import type { CallSite } from './site.ts'

type Versions = NonNullable<CallInput<typeof reportGame>['marks']>
type Picture = NonNullable<CallInput<typeof sendMarks>['marks'][number]['picture']>
type GameWithMarks = Pick<GameConfig, 'dialect' | 'urls' | 'names' | 'marks'>

/** How many pixels wide and high `check --mark` draws each pixel of a mark. */
const CHECK_SCALE = 16
/** How many clubs a finding names. */
const LISTED_MAX = 3

const LENGTH_FUNCTIONS: Record<Dialect, string> = {
  mssql: 'datalength',
  mariadb: 'octet_length',
  postgres: 'octet_length',
}
/** SQL for bytes as hexadecimal text, which every driver returns in the same form. */
const HEX_SQL: Record<Dialect, (column: string) => string> = {
  mssql: (column) => `convert(varchar(max), convert(varbinary(max), ${column}), 2)`,
  mariadb: (column) => `hex(${column})`,
  postgres: (column) => `encode(${column}, 'hex')`,
}

type MarkTable = { table: string; num: string; version: string; image: string }

/** Returns the names of the table and columns of marks; null on a server without marks. */
function findMarkTable(names: Parameters<typeof resolveTable>[1]): MarkTable | null {
  let guildTable: ResolvedTable<'GuildInfo'>
  try {
    guildTable = resolveTable('GuildInfo', names)
  } catch (error) {
    if (error instanceof MissingNames) return null
    throw error
  }
  const { GuNum, GuMarkVer, GuMarkImage } = guildTable.columns
  if (GuNum === null || GuMarkVer === null || GuMarkImage === null) return null
  return { table: guildTable.table, num: GuNum, version: GuMarkVer, image: GuMarkImage }
}

/**
 * Reads which clubs have a mark, and its version. Unreadable columns, such as those without the right to them, do not stop the
 * reading of everything else.
 *
 * @returns null if the marks cannot be read
 * @throws GameUnavailable
 */
export async function readMarkVersions(
  game: GameConnection,
  { dialect, names, marks: format = DEFAULT_MARK_FORMAT }: GameWithMarks,
  catalogue: Catalogue,
): Promise<Versions | null> {
  const form = hashText(JSON.stringify(format))
  const markTable = findMarkTable({ dialect, catalogue, names })
  if (markTable === null) return { form, versions: [] }
  try {
    const rows = await game.rows(
      `select g.${markTable.num}, g.${markTable.version} from ${markTable.table} g where g.${markTable.version} <> 0 order by g.${markTable.num}`,
    )
    return {
      form,
      versions: rows.map(([num, version]) => [Math.max(0, toWholeNumber(num)), Math.abs(toWholeNumber(version))]),
    }
  } catch (error) {
    if (error instanceof GameUnavailable) throw error
    return null
  }
}

/** Converts a mark (GAME-9) to red, green, blue and opacity; null for bytes of another size. */
export function readPixels(bytes: Buffer, { width, height, bytes: order, transparent }: MarkFormat): Buffer | null {
  if (bytes.length !== width * height * 4) return null
  const [red, green, blue, alpha] = ['R', 'G', 'B', 'A'].map((letter) => order.indexOf(letter)) as [
    number,
    number,
    number,
    number,
  ]
  const pixels = Buffer.alloc(bytes.length, 255)
  // If all these bytes are 0, the game does not use them.
  const hasAlpha = alpha >= 0 && bytes.some((byte, at) => at % 4 === alpha && byte !== 0)
  for (let at = 0; at < bytes.length; at += 4) {
    const color = [red, green, blue].map((offset) => bytes[at + offset] ?? 0)
    const isTransparent = Buffer.from(color).toString('hex') === transparent?.toLowerCase()
    pixels.set([...color, isTransparent ? 0 : hasAlpha ? (bytes[at + alpha] ?? 0) : 255], at)
  }
  return pixels
}

/** Reads the marks of clubs. `pixels` is null for a mark of another size. */
async function readMarks(
  game: GameConnection,
  { table, num, version, image }: MarkTable,
  format: MarkFormat,
  clubs: readonly number[],
) {
  const size = `${LENGTH_FUNCTIONS[game.dialect]}(g.${image})`
  const rows = await game.rows(
    `select g.${num}, g.${version}, case when ${size} <= ${MARK_MAX_BYTES} then ${HEX_SQL[game.dialect](`g.${image}`)} end
    from ${table} g where g.${num} in (${clubs.map(toWholeNumber).join(', ')})`,
  )
  return rows.map(([club, version, hex]) => {
    const pixels = readPixels(Buffer.from(toText(hex), 'hex'), format)
    return { club: Math.max(0, toWholeNumber(club)), version: Math.abs(toWholeNumber(version)), pixels }
  })
}

/**
 * Sends the marks that the site requested.
 *
 * @throws GameUnavailable, SiteUnavailable, SiteRefusal
 */
export async function reportMarks(
  { dialect, urls, names, marks: format = DEFAULT_MARK_FORMAT }: GameWithMarks,
  callSite: CallSite,
  { form, clubs }: { form: string; clubs: readonly number[] },
  signal: AbortSignal,
): Promise<void> {
  const game = await connectGame(dialect, urls.game)
  try {
    const table = findMarkTable({ dialect, catalogue: await readCatalogue(game), names })
    if (table === null) return
    const { width, height } = format
    const clubMarks = await readMarks(game, table, format, clubs.slice(0, MARKS_AT_ONCE))
    const toPicture = (pixels: Buffer): Picture => ({ width, height, pixels: pixels.toString('base64') })
    const sentMarks = clubMarks.map(({ pixels, ...mark }) => ({ ...mark, picture: pixels && toPicture(pixels) }))
    await callSite(sendMarks, { form, marks: sentMarks }, signal)
  } finally {
    await game.close()
  }
}

/** Returns the findings about the marks of clubs: whether they have the form of the configuration. */
export async function checkMarks(
  game: GameConnection,
  { dialect, names, marks: format = DEFAULT_MARK_FORMAT }: GameWithMarks,
  catalogue: Catalogue,
): Promise<Finding[]> {
  const markTable = findMarkTable({ dialect, catalogue, names })
  if (markTable === null) return []
  const bytes = format.width * format.height * 4
  const size = `coalesce(${LENGTH_FUNCTIONS[dialect]}(g.${markTable.image}), 0)`
  try {
    const rows = await game.rows(
      `select g.${markTable.num}, ${size}, case when ${size} = ${bytes} then 1 else 0 end from ${markTable.table} g
      where g.${markTable.version} <> 0 order by g.${markTable.num}`,
    )
    if (rows.length === 0) return []
    const wrongMarks = rows.filter(([, , isRightSize]) => toNumber(isRightSize) !== 1)
    if (wrongMarks.length === 0)
      return [
        createGoodFinding(
          `The marks of all ${rows.length} clubs that have one are ${format.width} × ${format.height} pixels.`,
        ),
      ]
    const clubList = wrongMarks
      .slice(0, LISTED_MAX)
      .map(([num, length]) => `${toWholeNumber(num)} (${toWholeNumber(length)} bytes)`)
    return [
      createNote(
        `${wrongMarks.length} of ${rows.length} marks of clubs are not ${bytes} bytes, so the site draws a shield for these clubs: ${clubList.join(', ')}${wrongMarks.length > LISTED_MAX ? ' and more' : ''}.`,
        'If your server’s marks have another size, add "marks": {"width": 16, "height": 11} with its numbers to the configuration. Look at one with: check --mark NUMBER.',
      ),
    ]
  } catch (error) {
    if (error instanceof GameUnavailable) throw error
    return [
      createNote(
        `The marks of clubs cannot be read: ${(error as Error).message}`,
        'Grant the account its rights (see the end of this list).',
      ),
    ]
  }
}

/**
 * Draws the mark of a club into a PNG file, so an operator can compare it with the game.
 *
 * @throws MissingNames on a server without marks
 */
export async function drawMark(config: GameWithMarks, club: number, file: string): Promise<Finding> {
  const { dialect, urls, names, marks: format = DEFAULT_MARK_FORMAT } = config
  const game = await connectGame(dialect, urls.game)
  try {
    const table = findMarkTable({ dialect, catalogue: await readCatalogue(game), names })
    if (table === null)
      throw new MissingNames([{ what: 'This server has no marks: GuMarkVer or GuMarkImage is missing.', advice: '' }])
    const [mark] = await readMarks(game, table, format, [club])
    if (mark === undefined) return createNote(`There is no club ${club}.`, 'Use a GuNum of GuildInfo.')
    if (mark.pixels === null)
      return createNote(
        `The mark of club ${club} is not ${format.width * format.height * 4} bytes, as ${format.width} × ${format.height} pixels are.`,
        'Set "marks" in the configuration to the size that your server uses.',
      )
    await writeFile(file, encodePng(mark.pixels, format.width, CHECK_SCALE))
    const advice = `Compare it with the game. If its colors are wrong, change "marks": {"bytes": "${format.bytes}"} in the configuration, for example to "RGBA" or "BGRX".`
    return createNote(`The mark of club ${club} is in ${file}.`, advice)
  } finally {
    await game.close()
  }
}

/** Encodes pixels of red, green, blue and opacity as PNG, each as a square of `scale` pixels. */
function encodePng(pixels: Buffer, width: number, scale: number): Buffer {
  const rows = Array.from({ length: pixels.length / 4 / width }, (_, y) => {
    const row = pixels.subarray(y * width * 4, (y + 1) * width * 4)
    const wideRow = Array.from({ length: width * scale }, (_, x) => {
      const at = Math.floor(x / scale) * 4
      return row.subarray(at, at + 4)
    })
    // Each row begins with its filter: none.
    return Array.from({ length: scale }, () => Buffer.concat([Buffer.of(0), ...wideRow]))
  }).flat()
  const toNumberBytes = (...numbers: number[]) => Buffer.from(Uint32Array.from(numbers).buffer).swap32()
  const toChunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    return Buffer.concat([toNumberBytes(data.length), body, toNumberBytes(crc32(body))])
  }
  const EIGHT_BITS_WITH_OPACITY = Buffer.of(8, 6, 0, 0, 0)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    toChunk('IHDR', Buffer.concat([toNumberBytes(width * scale, rows.length), EIGHT_BITS_WITH_OPACITY])),
    toChunk('IDAT', deflateSync(Buffer.concat(rows))),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}
