import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { MARK_MAX_BYTES } from '#contract/bridge-characters.ts'
import { PASSWORD_FORMS } from '#contract/bridge-sealing.ts'
import { GAME_NAMES, type GameDatabase } from './game/names.ts'
import { STATEMENT_NAMES, USER_UIDS } from './game/statements.ts'
import { readSite } from './site.ts'

/** The kind of database that each preset is for (GAME-1). */
export const PRESETS = { 'ran-mssql': 'mssql', 'ran-mariadb': 'mariadb', 'ran-postgres': 'postgres' } as const

/** The URL schemes of each kind of database. */
const SCHEMES = {
  mssql: ['mssql:', 'sqlserver:'],
  mariadb: ['mariadb:', 'mysql:'],
  postgres: ['postgres:', 'postgresql:'],
}

const identifier = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_$ ]*(\.[\p{L}_][\p{L}\p{N}_$ ]*)?$/u, 'is not the name of a table or column')
const columnName = z.string().regex(/^[\p{L}_][\p{L}\p{N}_$ ]*$/u, 'is not the name of a column')
const createChoice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `must be one of ${values.map((value) => `"${value}"`).join(', ')}`)

/** One statement or several. */
const statementsSchema = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])
const startPosition = z.strictObject({
  map: z.int(),
  gate: z.int().optional(),
  x: z.number().optional(),
  y: z.number().optional(),
  z: z.number().optional(),
})

/** The settings of services, which change characters. Without them the bridge writes nothing to the database of characters. */
const servicesSchema = z.strictObject({
  /** The start position of each school, by the school's number (GAME-16). */
  places: z.record(z.string().regex(/^\d{1,3}$/, 'is not the number of a school'), startPosition).default({}),
  /** The hair and face of a character after a change of gender. Columns that are not listed become 0 (GAME-18). */
  looks: z.partialRecord(z.enum(['ChaHair', 'ChaFace', 'ChaHairStyle', 'ChaHairColor']), z.int()).default({}),
  /** Other columns that contain a character's name, as `Table.Column` (GAME-20). */
  names: z.array(identifier).default([]),
  /** The bridge's services to turn off for this game. */
  off: z.array(z.enum(['unstuck', 'stats', 'school', 'name', 'gender'], 'is not a service of the bridge')).default([]),
  /** The statements of additional services, by their names in the shop. The name of a built-in service replaces it. */
  own: z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, 'is not the name of a service'),
      z.strictObject({ read: z.string().min(1), write: statementsSchema, undo: statementsSchema.optional() }),
    )
    .default({}),
})

/** The format of clubs' marks in the game. */
const marksSchema = z
  .strictObject({
    width: z.int().min(1).max(64).default(16),
    height: z.int().min(1).max(64).default(11),
    /** The order of the four bytes of a pixel; X for a byte without meaning. */
    bytes: z
      .string()
      .regex(/^(?=.*B)(?=.*G)(?=.*R)[BGRAX]{4}$/, 'must be the letters B, G, R and A (or X) in the order of the bytes')
      .default('BGRA'),
    /** The color that means transparent, such as "FF00FF". */
    transparent: z
      .string()
      .regex(/^[0-9A-F]{6}$/i, 'must be a color such as "FF00FF"')
      .optional(),
  })
  .refine(({ width, height }) => width * height * 4 <= MARK_MAX_BYTES, `must have at most ${MARK_MAX_BYTES / 4} pixels`)

export type MarkFormat = z.infer<typeof marksSchema>
export const DEFAULT_MARK_FORMAT: MarkFormat = marksSchema.parse({})

const configSchema = z.strictObject({
  site: z.string('must be the address of the site, such as "https://play.example.ph"'),
  key: z.string('must be the name of a file, such as "bridge.key"').min(1),
  game: z.strictObject({
    preset: createChoice(Object.keys(PRESETS) as ['ran-mssql', 'ran-mariadb', 'ran-postgres']),
    user: z.string('must be the address of the database RanUser'),
    game: z.string('must be the address of the database RanGame1'),
    shop: z.string('must be the address of the database RanShop'),
    log: z.string('must be the address of the database RanLog').optional(),
  }),
  userUid: createChoice(USER_UIDS).default('UserName'),
  passwordForm: createChoice(PASSWORD_FORMS).default('md5-upper-19'),
  /** Names of the game's tables and columns that differ from the preset; null for missing ones. */
  names: z.partialRecord(z.enum(GAME_NAMES, 'is not a name that the bridge uses'), identifier.nullable()).default({}),
  /** Values of a new account in columns that neither the site nor the bridge sets. */
  account: z
    .record(
      columnName,
      z.union([z.string(), z.number(), z.boolean(), z.null()], 'must be text, a number, true, false or null'),
    )
    .default({}),
  /** SQL statements that replace the bridge's own, for a game whose tables the preset does not fit. */
  statements: z
    .partialRecord(z.enum(STATEMENT_NAMES, 'is not a statement that the bridge uses'), statementsSchema)
    .default({}),
  services: servicesSchema.optional(),
  marks: marksSchema.optional(),
  /** The accounts of the game's staff; by default the accounts of user type 10 or more. */
  staff: z
    .strictObject({
      types: z.array(z.int()).optional(),
      numbers: z.array(z.int()).optional(),
      /** The user type of new accounts. */
      playerType: z.int().default(1),
    })
    .optional(),
  /** The SQL condition for players' accounts, if the table also has other accounts. */
  players: z.string().min(1).optional(),
})

export type ServicesConfig = z.infer<typeof servicesSchema>

export type GameConfig = Pick<
  z.infer<typeof configSchema>,
  'userUid' | 'passwordForm' | 'names' | 'account' | 'statements' | 'services' | 'marks' | 'staff' | 'players'
> & {
  preset: keyof typeof PRESETS
  dialect: (typeof PRESETS)[keyof typeof PRESETS]
  urls: { user: string; game: string; shop: string; log?: string }
}

export type BridgeConfig = GameConfig & {
  /** Origin of the site. */
  site: string
  /** The absolute path of the key file. */
  keyFile: string
}

/** A configuration that cannot be used; the message is for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads the configuration. Addresses can contain environment variables as `${NAME}`.
 *
 * @throws ConfigError with the wrong key and the reason
 */
export async function readConfig(path: string, env: Record<string, string | undefined>): Promise<BridgeConfig> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new ConfigError(`There is no configuration file ${path}. docs/OPERATING.md has one to start from.`)
  })
  let json: unknown
  try {
    // Windows editors may write a byte order mark first.
    json = JSON.parse(normalizeKeyPath(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    const hint = text.includes('\\') ? ' Write paths with forward slashes, such as "C:/bridge/bridge.key".' : ''
    throw new ConfigError(`${path} is not valid JSON: ${(error as Error).message}.${hint}`)
  }
  const parseResult = configSchema.safeParse(json)
  if (
    parseResult.success &&
    parseResult.data.statements.insertAccount !== undefined &&
    Object.keys(parseResult.data.account).length > 0
  )
    throw new ConfigError(`${path}: the statement insertAccount takes the place of "account". Remove one of them.`)
  if (!parseResult.success) throw new ConfigError(`${path}: ${parseResult.error.issues.map(describeIssue).join('; ')}.`)
  const { site, key, game, ...rest } = parseResult.data
  const dialect = PRESETS[game.preset]
  const readAddress = (name: GameDatabase | 'log') => {
    const address = fillInVariables(game[name] ?? '', env, `game.${name}`)
    const url = URL.parse(address)
    if (url === null || !SCHEMES[dialect].includes(url.protocol) || url.pathname.length < 2)
      throw new ConfigError(
        `${path}: game.${name} must be an address such as ${SCHEMES[dialect][0]}//user:\${GAME_PASSWORD}@127.0.0.1/RanShop.`,
      )
    return address
  }
  try {
    return {
      ...rest,
      site: readSite(fillInVariables(site, env, 'site')),
      keyFile: resolve(dirname(path), key),
      preset: game.preset,
      dialect,
      urls: {
        user: readAddress('user'),
        game: readAddress('game'),
        shop: readAddress('shop'),
        ...(game.log !== undefined && { log: readAddress('log') }),
      },
    }
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(`${path}: ${(error as Error).message}`)
  }
}

/**
 * Replaces the backslashes of a Windows path in "key" by slashes in the text of a configuration. In JSON, a single
 * backslash begins an escape sequence.
 */
const normalizeKeyPath = (text: string): string =>
  text.replace(/("key"\s*:\s*")((?:[a-z]:)?\\[^"]*)"/i, (_, begin: string, path: string) => {
    const normalizedPath = path.replace(/\\+/g, '/')
    return `${begin}${path.startsWith('\\\\') ? '/' : ''}${normalizedPath}"`
  })

function describeIssue(issue: z.core.$ZodIssue): string {
  const at = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys')
    return `${at === '' ? '' : `${at} has `}unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${issue.keys.map((key) => `"${key}"`).join(', ')}`
  return `${at || 'it'} ${issue.message}`
}

/** Replaces `${NAME}` by the environment's value, which allows a file without passwords. */
function fillInVariables(text: string, env: Record<string, string | undefined>, location: string): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = env[name]
    if (value === undefined) throw new ConfigError(`${location} names the variable ${name}, which is not set.`)
    return location === 'site' ? value : encodeURIComponent(value)
  })
}
