import { z } from 'zod'
import { shortText } from './bridge.ts'
import { MINUTE_MS } from './durations.ts'
import { declareEndpoint } from './endpoint.ts'
import { moment } from './scalars.ts'

const area = 'bridge'

/** The number of consecutive ids in a block of characters, the unit of transfer: block n begins with ChaNum n × 64. */
export const CHARACTERS_IN_BLOCK = 64
/** The maximum number of blocks per request. The agent also sends at most this many characters at once. */
export const CHARACTERS_AT_ONCE = 4000
/** The maximum age of values in a report. */
export const REPORTED_AGE_MAX_MS = 10 * MINUTE_MS

/** The measures of characters. A server may lack their columns. */
export const CHARACTER_MEASURES = ['mmr', 'resu', 'kills', 'deaths', 'level_up', 'money'] as const
export type CharacterMeasure = (typeof CHARACTER_MEASURES)[number]

/** The reasons why the rankings hide a character; '' if they show it. The bridge sends the index of the reason. */
export const HIDDEN_REASONS = ['', 'staff', 'blocked', 'deleted'] as const

const block = z.int().nonnegative()
const hash = z.string().regex(/^[\w-]{16,44}$/)
const chaNum = z.int().positive()
const count = z.int().nonnegative()
/** How long ago the agent read the values, in ms by its own clock. */
const age_ms = z.number().min(0).max(REPORTED_AGE_MAX_MS)

/** A character's row in the game (BRIDGE-5). The site corrects invalid values. */
const characterRowSchema = z.tuple([
  chaNum.meta({ description: 'ChaNum' }),
  z.int().meta({ description: 'UserNum' }),
  z.string().max(200).meta({ description: 'ChaName' }),
  z.int().meta({ description: 'ChaClass' }),
  z.int().meta({ description: 'ChaSchool; -2 for none' }),
  z.int().meta({ description: 'ChaLevel' }),
  z.int().meta({ description: 'kills' }),
  z.int().meta({ description: 'deaths' }),
  z.int().meta({ description: 'MMR' }),
  z.int().meta({ description: 'resu' }),
  z.int().meta({ description: 'money' }),
  z.int().nullable().meta({ description: 'last level-up, seconds since 1970' }),
  z
    .int()
    .min(0)
    .max(HIDDEN_REASONS.length - 1)
    .meta({ description: 'why the rankings hide it: 1 staff, 2 blocked, 3 deleted; 0 if they show it' }),
  z.int().nonnegative().optional().meta({ description: 'GuNum; 0 or missing for none' }),
])
export type CharacterRow = z.infer<typeof characterRowSchema>

export const compareCharacters = declareEndpoint({
  method: 'POST',
  path: '/bridge/characters/compare',
  summary: 'Compare the hashes of all blocks of characters. The sync is complete when the response lists no blocks',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      age_ms,
      blocks: z.array(block).max(100_000),
      hashes: z.array(hash).max(100_000),
      lacks: z.array(z.enum(CHARACTER_MEASURES)).max(CHARACTER_MEASURES.length).meta({
        description: 'The measures for which the game has no column',
      }),
      /** How long it took the agent to read the characters, in ms. The desk shows it. */
      took_ms: count,
      sent_bytes: count,
      changed: count,
    }),
  },
  errors: { uneven: { status: 422, message: 'There must be as many hashes as blocks.' } },
  output: z.object({
    now: moment,
    wanted: z.array(z.object({ block, has: hash.nullable() })).meta({
      description: 'Blocks that differ, with the hash that the site has',
    }),
  }),
})

export const sendCharacters = declareEndpoint({
  method: 'POST',
  path: '/bridge/characters',
  summary: 'Send what has changed in blocks of characters, each with its old and its new hash',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      age_ms,
      blocks: z
        .array(
          z.object({
            block,
            from: hash.nullable().meta({ description: 'Null when every character of the block is reported' }),
            to: hash,
            rows: z.array(characterRowSchema).max(CHARACTERS_IN_BLOCK),
            gone: z.array(chaNum).max(CHARACTERS_IN_BLOCK),
          }),
        )
        .max(CHARACTERS_AT_ONCE),
    }),
  },
  errors: { outside: { status: 422, message: 'A character does not belong to the block it was sent in.' } },
  output: z.object({ now: moment }),
})

/** The maximum numbers of players and of groups in a report. */
export const ONLINE_PLAYERS_MAX = 100_000
export const ONLINE_GROUPS_MAX = 500

export const reportGame = declareEndpoint({
  method: 'POST',
  path: '/bridge/game',
  summary:
    'Report who is online, the owners of club areas, the hashes of all blocks of clubs, the versions of marks, the alliances, and any problem with reading the game',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      problem: shortText(300),
      online: count.max(2_000_000).nullable(),
      playing: z
        .array(count)
        .max(ONLINE_PLAYERS_MAX)
        .default([])
        .meta({ description: 'The numbers of the game accounts that have a character online' }),
      characters: z
        .array(chaNum)
        .max(ONLINE_PLAYERS_MAX)
        .default([])
        .meta({ description: 'The ChaNum of every character online' }),
      groups: z
        .array(z.object({ school: z.int(), class: z.int(), players: count.max(2_000_000) }))
        .max(ONLINE_GROUPS_MAX)
        .nullable()
        .default(null)
        .meta({
          description: 'The number of players online by school and class; null if the game does not record it',
        }),
      life: z
        .object({
          log_age_ms: z.number().min(0).nullable().meta({
            description: 'The age of the newest row of LogServerState; null where it cannot be read',
          }),
          mark: shortText(44).meta({
            description: 'A text that changes when other characters are online; may be empty',
          }),
        })
        .nullable()
        .default(null)
        .meta({
          description:
            'Shows whether the game server runs. After a crash, its database still lists players as online, so their number does not show it',
        }),
      areas: z
        .array(z.object({ region: z.int(), club: z.string().max(200), tax_percent: z.number() }))
        .max(50)
        .nullable(),
      clubs: z.array(z.object({ block, hash })).max(10_000).nullable().default(null).meta({
        description: 'Null if the agent could not read them. The site then leaves its own data unchanged',
      }),
      marks: z
        .object({
          form: shortText(44).meta({
            description:
              'Identifies the format in which the agent reads marks. If it changes, the site requests all marks again',
          }),
          versions: z
            .array(z.tuple([count, count]))
            .max(100_000)
            .meta({ description: 'The clubs that have a mark, by GuNum, each with its GuMarkVer' }),
        })
        .nullable()
        .default(null)
        .meta({ description: 'Null if the agent could not read them. The site then leaves its own data unchanged' }),
      alliances: z
        .array(z.tuple([count, count]))
        .max(100_000)
        .nullable()
        .default(null)
        .meta({
          description:
            'The clubs in alliances by GuNum, each with the club that leads its alliance. Null if the agent could not read them. The site then leaves its own data unchanged',
        }),
    }),
  },
  output: z.object({
    now: moment,
    wanted_clubs: z.array(block).meta({ description: 'Blocks of clubs whose hash differs from the site’s' }),
    wanted_marks: z.array(count).default([]).meta({ description: 'Clubs whose mark has another version on the site' }),
  }),
})

/** The number of consecutive ids in a block of clubs. Blocks are always sent whole. */
export const CLUBS_IN_BLOCK = 64
export const CLUB_BLOCKS_AT_ONCE = 100

/** A club's row in the game. */
const clubRowSchema = z.tuple([
  count.meta({ description: 'GuNum' }),
  z.string().max(200).meta({ description: 'GuName' }),
  count.meta({ description: 'ChaNum of the leader; 0 for none' }),
  count.meta({ description: 'wins' }),
  count.meta({ description: 'losses' }),
  count.meta({ description: 'draws' }),
  z.int().nullable().meta({ description: 'when it was founded, seconds since 1970' }),
])
export type ClubRow = z.infer<typeof clubRowSchema>

export const sendClubs = declareEndpoint({
  method: 'POST',
  path: '/bridge/clubs',
  summary: 'Send the clubs of the requested blocks',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      blocks: z
        .array(z.object({ block, hash, rows: z.array(clubRowSchema).max(CLUBS_IN_BLOCK) }))
        .max(CLUB_BLOCKS_AT_ONCE),
    }),
  },
  errors: { outsideClub: { status: 422, message: 'A club does not belong to the block it was sent in.' } },
  output: z.object({ now: moment }),
})

/** The maximum size of a mark, with 4 bytes per pixel. */
export const MARK_MAX_BYTES = 2048
/** The maximum number of marks per request. */
export const MARKS_AT_ONCE = 100

const markSide = z
  .int()
  .min(1)
  .max(MARK_MAX_BYTES / 4)

export const sendMarks = declareEndpoint({
  method: 'POST',
  path: '/bridge/marks',
  summary: 'Send the marks of the requested clubs',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      form: shortText(44),
      marks: z
        .array(
          z.object({
            club: count.meta({ description: 'GuNum' }),
            version: count.meta({ description: 'GuMarkVer' }),
            picture: z
              .object({ width: markSide, height: markSide, pixels: z.base64().max(MARK_MAX_BYTES * 2) })
              .nullable()
              .meta({
                description:
                  'The pixels in base64, row by row from the top, with four bytes per pixel: red, green, blue and opacity. Null for a mark in an unknown format',
              }),
          }),
        )
        .max(MARKS_AT_ONCE),
    }),
  },
  errors: { unevenMark: { status: 422, message: 'A mark must have 4 bytes for each pixel.' } },
  output: z.object({ now: moment }),
})

/** The maximum number of kills in a report, and also of wars. */
export const GAME_LOG_ENTRIES_MAX = 30

const logEntryFields = { num: count, at: count.meta({ description: 'seconds since 1970' }) }

export const sendGameLog = declareEndpoint({
  method: 'POST',
  path: '/bridge/happenings',
  summary:
    'Replace the site’s lists of the newest kills and club wars. The site stores kills only while it shows who is online',
  area,
  access: 'bridge',
  input: {
    body: z.object({
      kills: z
        .array(z.object({ ...logEntryFields, killer: count, victim: count }))
        .max(GAME_LOG_ENTRIES_MAX)
        .meta({ description: 'Characters by their ChaNum' }),
      wars: z
        .array(z.object({ ...logEntryFields, winner: count, loser: count, region: count }))
        .max(GAME_LOG_ENTRIES_MAX)
        .meta({ description: 'Clubs by their GuNum, and the RegionID; 0 if the game does not record it' }),
    }),
  },
  output: z.object({ now: moment }),
})
