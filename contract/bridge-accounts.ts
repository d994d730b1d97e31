import { z } from 'zod'
import { BRIDGE_WAIT_MAX_MS, gameCopySchema, RESTORE_STATES, shortText } from './bridge.ts'
import { PASSWORD_FORMS } from './bridge-sealing.ts'
import { declareEndpoint } from './endpoint.ts'
import { moment } from './scalars.ts'

const area = 'bridge'
const account = z.int().positive()
const gameUserNum = z.int()
const version = z.int().positive()

/** The reasons why the game refused the work on an account, as the desk shows them. */
export const ACCOUNT_PROBLEMS = {
  taken: 'The game already has an account with this ID. Its owner has to enter the old game password.',
  gone: 'The game no longer has this account. It gets a new one when the player logs in here.',
  renamed:
    'The account in the game now has a different ID. Nothing in it is changed until an operator decides whether it is still this player’s.',
  staff: 'The account in the game belongs to staff, so the bridge leaves it alone.',
  bound: 'The account in the game belongs to another account of this site.',
  unreadable: 'The bridge could not open the sealed password. A new one is made at the next login.',
  outdated: 'The game already has a newer password. A new one is made at the next login.',
  changed: 'The game’s database changes the ID or the password when it stores it.',
  database: 'The game’s database refused the account.',
} as const
export type AccountProblem = keyof typeof ACCOUNT_PROBLEMS

/** The maximum number of accounts, and of balances, per request for work. */
export const BRIDGE_ACCOUNTS_AT_ONCE = 50
/** The maximum number of accounts per call of an import. */
export const IMPORT_ROWS_AT_ONCE = 50

const sealedPasswordSchema = z.object({
  version,
  form: z.enum(PASSWORD_FORMS),
  sealed: z.string().max(1000),
})

const blockSchema = z.object({
  blocked: z.boolean(),
  until: z.iso.datetime().nullable().meta({ description: 'null: permanent' }),
})
export type GameBlock = z.infer<typeof blockSchema>

/** The work on an account of the game: create it, change it, or take over its balance. */
export const accountWorkSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('create'),
    account,
    attempt: z.int(),
    /** Identifies the account beyond its number, in case a number is reused. */
    mark: z.string().max(80),
    user_id: z.string(),
    password: sealedPasswordSchema,
    second_password: sealedPasswordSchema.nullable(),
    block: blockSchema.nullable(),
  }),
  z.object({
    kind: z.literal('change'),
    account,
    attempt: z.int(),
    /** Identifies the account beyond its number, in case a number is reused. */
    mark: z.string().max(80),
    user_id: z.string(),
    game_user_num: gameUserNum,
    password: sealedPasswordSchema.nullable(),
    second_password: sealedPasswordSchema.nullable(),
    block: blockSchema.nullable(),
  }),
  z.object({
    kind: z.literal('balance'),
    game_user_num: gameUserNum,
    user_id: z.string(),
    /** The balance that was approved at the desk. Anything above it stays in the game. */
    most: z.int().positive(),
    again: z.literal(true).optional().meta({
      description:
        'The balance was taken before, and a restore brought it back. Take up to `most` again, once per epoch',
    }),
  }),
])
export type AccountWork = z.infer<typeof accountWorkSchema>

/** Logins to end after a crash of the game server: those of one account, or all from before a restart. */
const resetWorkSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('free'),
    account,
    game_user_num: gameUserNum,
    user_id: z.string(),
    offline: z.boolean().meta({ description: 'Whether no character of the account was seen online for ten minutes' }),
  }),
  z.object({ kind: z.literal('free-all'), restart: z.int().positive(), restarted_at: z.iso.datetime() }),
])
export type ResetWork = z.infer<typeof resetWorkSchema>

export const takeAccountWork = declareEndpoint({
  method: 'POST',
  path: '/bridge/accounts',
  summary:
    'Wait for accounts to create or change in the game, balances to take out of it, and logins to reset. Passwords are sealed for this bridge alone',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      wait_ms: z.int().min(0).max(BRIDGE_WAIT_MAX_MS),
      copy: gameCopySchema.meta({ description: 'The state of the database of accounts' }),
      frees_logins: z.boolean().default(false).meta({ description: 'Whether the bridge may write UserLoginState' }),
    }),
  },
  output: z.object({
    now: moment,
    work: z.array(accountWorkSchema),
    resets: z.array(resetWorkSchema).default([]).meta({ description: 'Only for a bridge with `frees_logins`' }),
    restore: z.enum(RESTORE_STATES),
    /** While a restore of the accounts waits: the balances to compare. */
    look: z.array(z.object({ game_user_num: gameUserNum, amount: z.int().nonnegative() })),
    /** After the confirmation: the epoch to write into the database of accounts. */
    next_epoch: z.string().nullable(),
  }),
})

/** The results of resetting a login: reset, not logged in, still online, no account of this player. */
export const LOGIN_RESET_OUTCOMES = ['reset', 'clear', 'online', 'gone'] as const
const freedLoginSchema = z.object({ account, outcome: z.enum(LOGIN_RESET_OUTCOMES) })
export type LoginReset = z.infer<typeof freedLoginSchema>

const problem = z.enum(Object.keys(ACCOUNT_PROBLEMS) as [AccountProblem, ...AccountProblem[]])

export const reportAccounts = declareEndpoint({
  method: 'POST',
  path: '/bridge/accounts/report',
  summary: 'Report the results of work on accounts, and the balances that were taken out of the game',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      copy: gameCopySchema,
      done: z
        .array(
          z.object({
            account,
            attempt: z.int(),
            game_user_num: gameUserNum,
            password_version: version.nullable(),
            second_version: version.nullable(),
            block: blockSchema.nullable(),
          }),
        )
        .max(500),
      refused: z
        .array(
          z.object({
            account,
            attempt: z.int(),
            problem,
            detail: shortText(300),
            game_user_id: shortText(64).optional().meta({ description: 'With `renamed`: the ID that it has now' }),
          }),
        )
        .max(500),
      balances: z
        .array(
          z.object({
            game_user_num: gameUserNum,
            amount: z.int().nonnegative().nullable().meta({ description: 'null when it stayed in the game' }),
            detail: shortText(300),
          }),
        )
        .max(500),
      freed: z.array(freedLoginSchema).max(500).default([]),
      freed_all: z
        .array(z.object({ restart: z.int().positive(), accounts: z.int().nonnegative() }))
        .max(50)
        .default([])
        .meta({ description: 'Restarts of the game server, and how many logins were reset' }),
      looked: z
        .object({
          through: gameUserNum,
          back: z.array(z.object({ game_user_num: gameUserNum, found: z.int().nonnegative() })).max(500),
        })
        .nullable()
        .default(null)
        .meta({
          description: 'After a restore: the last compared account, and the balances that are in the game again',
        }),
    }),
  },
  output: z.object({ now: moment }),
})

/**
 * The maximum number of blocks in a report of the game. If there are more, a missing block does not count as lifted.
 */
export const GAME_BLOCKS_MAX = 40_000

export const reportBlocks = declareEndpoint({
  method: 'POST',
  path: '/bridge/accounts/blocks',
  summary: 'Report the accounts that the game’s own staff has blocked',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      copy: gameCopySchema,
      blocks: z
        .array(z.tuple([gameUserNum, shortText(64), z.iso.datetime().nullable()]))
        .max(GAME_BLOCKS_MAX)
        .meta({ description: 'Each blocked account: its number, its ID, and the end of the block, null for none' }),
      complete: z.boolean(),
    }),
  },
  output: z.object({ now: moment }),
})

/** An account of the game in an import. */
export const importRowSchema = z.object({
  game_user_num: z.int(),
  user_id: shortText(64).min(1),
  form: z.enum(PASSWORD_FORMS),
  password: shortText(64).meta({ description: 'In that form; empty in a dry run' }),
  user_type: z.int(),
  blocked: z.boolean(),
  blocked_until: z.iso.datetime().nullable(),
  balance: z.number(),
})
export type ImportRow = z.infer<typeof importRowSchema>

/** The results of importing an account. The agent prints each after a number of accounts. */
export const IMPORT_RESULTS = {
  new: 'moved in',
  site: 'of them with the ID of a player of the site, who has to enter the old game password',
  known: 'moved in before',
  linked: 'already linked with players of the site',
  doubled: 'left out: another account of the game has the same ID',
} as const
export type ImportResult = keyof typeof IMPORT_RESULTS

export const importAccounts = declareEndpoint({
  method: 'POST',
  path: '/bridge/import',
  summary: 'Create players from accounts of the game, while an owner has the import open; without `apply`, a dry run',
  area,
  access: 'bridge',
  input: { body: z.object({ apply: z.boolean(), rows: z.array(importRowSchema).max(IMPORT_ROWS_AT_ONCE) }) },
  output: z.object({
    now: moment,
    open_until: moment.nullable(),
    rows: z.array(
      z.object({
        game_user_num: z.int(),
        became: z.enum(Object.keys(IMPORT_RESULTS) as [ImportResult, ...ImportResult[]]),
      }),
    ),
  }),
  errors: {
    closed: {
      status: 409,
      message: 'The import is not open. An owner has to open it on the desk’s Account import page.',
    },
  },
})
