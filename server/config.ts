import { join, resolve } from 'node:path'
import { z } from 'zod'
import { splitDatabaseUrl } from './db/servers.ts'

/** The site cannot start; the message is one line for the person who started it. */
export class StartError extends Error {
  override name = 'StartError'
}

/** An invalid setting; the message is one line with the variable and its accepted values. */
export class ConfigError extends StartError {
  override name = 'ConfigError'
}

const textVariable = (fallback: string, acceptedValues: string) =>
  z.string().trim().min(1, acceptedValues).default(fallback)
const wholeNumberVariable = (fallback: number, max: number, acceptedValues: string) =>
  z
    .string()
    .regex(/^\d{1,5}$/, acceptedValues)
    .transform(Number)
    .refine((value) => value <= max, acceptedValues)
    .default(fallback)
const urlVariable = (acceptedValues: string, protocols: string[]) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), acceptedValues)
    .optional()

const WEB_PROTOCOLS = ['http:', 'https:']

/** The sender of emails when MAIL_FROM is not set; no mail server accepts it. */
export const DEFAULT_MAIL_FROM = 'Tambayan <no-reply@tambayan.example>'
const METRICS_TOKEN_RULE = 'at least 16 letters, digits and other characters, without spaces'
const POOL_RULE = 'a number of connections, 2 to 100'

const environmentSchema = z.object({
  HOST: textVariable('127.0.0.1', 'an address or a host name such as 127.0.0.1'),
  PORT: wholeNumberVariable(3000, 65_535, 'a port number from 0 to 65535'),
  DATA_DIR: textVariable('./data', 'a folder such as ./data'),
  BACKUP_DIR: z.string().trim().min(1).optional(),
  SITE_KEY_FILE: z.string().trim().min(1).optional(),
  DATABASE_URL: z
    .string()
    .refine((value) => splitDatabaseUrl(value).length > 0, 'an address such as postgres://user:password@host:5432/name')
    .optional(),
  DATABASE_POOL: wholeNumberVariable(8, 100, POOL_RULE).refine((value) => value >= 2, POOL_RULE),
  SMTP_URL: urlVariable('an address such as smtp://user:password@host:587', ['smtp:', 'smtps:']),
  MAIL_FROM: textVariable(DEFAULT_MAIL_FROM, 'a sender such as Tambayan <no-reply@example.ph>'),
  APP_NAME: z.string().trim().min(1, 'a name such as Tambayan Online').optional(),
  PUBLIC_URL: urlVariable('an address such as https://play.example.ph', WEB_PROTOCOLS),
  AGENT_URL: urlVariable('an address such as https://m.me/your-page', WEB_PROTOCOLS),
  SOCIAL_URL: urlVariable('an address such as https://www.facebook.com/your-page', WEB_PROTOCOLS),
  OPERATOR_NAME: z.string().trim().min(1, 'a name such as Barkada Servers').optional(),
  OPERATOR_EMAIL: z.email('an email address such as desk@example.ph').optional(),
  TRUST_PROXY: wholeNumberVariable(0, 16, 'the number of proxies in front, 0 to 16'),
  DEMO: z.enum(['0', '1'], '1 or 0').optional(),
  RATE_LIMIT: z.enum(['on', 'off'], 'on or off').default('on'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, METRICS_TOKEN_RULE)
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug'], 'fatal, error, warn, info or debug').default('info'),
})

/** The names of the environment variables that are settings. */
export const SETTING_VARIABLES = Object.keys(environmentSchema.shape)

/** Settings that are or contain a password, which error messages must not show. */
const SECRET_VARIABLES = new Set(['DATABASE_URL', 'SMTP_URL', 'METRICS_TOKEN'])

export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** The cost of argon2id: 19 MiB of memory, two passes and one lane. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Config = {
  host: string
  port: number
  dataDir: string
  backupDir: string
  /** The path of the file with the key that seals secrets. */
  siteKeyFile: string
  databaseUrl: string | undefined
  /** How many connections to PostgreSQL this process opens for calls; other uses open a few more. */
  databasePool: number
  smtpUrl: string | undefined
  mailFrom: string
  /** The site's name from APP_NAME; if undefined, operators set the name at the desk. */
  appName: string | undefined
  /** The site's public address without a trailing slash; undefined for the address on which the site listens. */
  publicUrl: string | undefined
  agentUrl: string | undefined
  socialUrl: string | undefined
  /** The operators' name in the policies. */
  operatorName: string | undefined
  /** The operators' address in the policies; without one the policies point to support tickets. */
  operatorEmail: string | undefined
  trustedProxies: number
  demo: boolean
  rateLimit: boolean
  /** The token with which programs on other machines can read /metrics. */
  metricsToken: string | undefined
  logLevel: string
  /** The cost of hashing a password. No variable changes it; tests hash cheaply. */
  passwordCost: PasswordCost
}

/** Returns whether a host name or address from HOST or a URL is a loopback address. */
export const isLoopback = (host: string) => host === 'localhost' || /^(\[?::1\]?|127(\.\d{1,3}){3})$/.test(host)

/**
 * Reads every setting (START-3). An empty variable counts as not set.
 *
 * @throws ConfigError with the variable and its accepted values
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const definedEnv = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parseResult = environmentSchema.safeParse(definedEnv)
  if (!parseResult.success) {
    const issue = parseResult.error.issues[0]
    const name = String(issue?.path[0] ?? 'environment')
    const value = definedEnv[name]?.replace(/\s+/g, ' ')
    throw new ConfigError(
      SECRET_VARIABLES.has(name)
        ? `${name} is not valid: it must be ${issue?.message}.`
        : `${name} is '${value}', but must be ${issue?.message}.`,
    )
  }
  const variables = parseResult.data
  // With a HOST that is not a loopback address, only DEMO=1 creates the demo world (START-4).
  const demo =
    variables.DEMO === undefined
      ? variables.DATABASE_URL === undefined && isLoopback(variables.HOST)
      : variables.DEMO === '1'
  return {
    host: variables.HOST,
    port: variables.PORT,
    dataDir: resolve(variables.DATA_DIR),
    backupDir: resolve(variables.BACKUP_DIR ?? join(variables.DATA_DIR, 'backups')),
    siteKeyFile: resolve(variables.SITE_KEY_FILE ?? join(variables.DATA_DIR, 'site.key')),
    databaseUrl: variables.DATABASE_URL,
    databasePool: variables.DATABASE_POOL,
    smtpUrl: variables.SMTP_URL,
    mailFrom: variables.MAIL_FROM,
    appName: variables.APP_NAME,
    publicUrl: variables.PUBLIC_URL?.replace(/\/+$/, ''),
    agentUrl: variables.AGENT_URL ?? (demo ? 'https://example.com/agent' : undefined),
    socialUrl: variables.SOCIAL_URL ?? (demo ? 'https://example.com/barkada' : undefined),
    operatorName: variables.OPERATOR_NAME,
    operatorEmail: variables.OPERATOR_EMAIL,
    trustedProxies: variables.TRUST_PROXY,
    demo,
    rateLimit: variables.RATE_LIMIT === 'on',
    metricsToken: variables.METRICS_TOKEN,
    logLevel: variables.LOG_LEVEL,
    passwordCost: PASSWORD_COST,
  }
}

/** Returns the site's public address, without a trailing slash; `port` is the port on which the site listens. */
export function getPublicUrl(config: Config, port = config.port): string {
  return config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
}
