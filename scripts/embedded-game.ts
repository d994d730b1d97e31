import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { connectGame } from '#bridge/game/connect.ts'
import { type GameConnection, GameUnavailable, type Row, toNumber, toText } from '#bridge/game/driver.ts'
import { makePlayers } from '#demo/accounts.ts'
import { makeCharacters } from '#demo/characters.ts'
import { makeAlliances, makeClubs, makeMarks } from '#demo/clubs.ts'
import { DEMO_SEED } from '#demo/seed.ts'
import { seededRandom } from '#demo/world.ts'
import { createTableStatements } from './game-tables.ts'
import { openPglitePort } from './pglite-port.ts'

type Character = Omit<ReturnType<typeof makeCharacters>[number], 'user_num'> & { user_num: number; cha_num: number }

/** The user type of the demonstration's staff in the game. */
const DEMO_STAFF_TYPE = 30
const ROWS_PER_STATEMENT = 500
/**
 * Demo players who can log in, with placeholder numbers. The game has no accounts for them at first. Their characters
 * are created after the bridge has created the accounts.
 */
const UNJOINED_ACCOUNTS = { juan: -1, maria: -2 } as const
const isUnjoined = (userNum: number) => userNum < 0

/** Returns the demo world's players and characters with their numbers on the site. */
function createPopulation(now: Date) {
  const random = seededRandom(DEMO_SEED)
  const players = makePlayers(random, now)
  const numbers = players.map((_, index) => index + 1)
  const characters = makeCharacters(random, { now, ...UNJOINED_ACCOUNTS, players: numbers })
  return { players, characters: characters.map((row, index): Character => ({ ...row, cha_num: index + 1 })) }
}

/** Opens an embedded game database on a local port. */
export async function openEmbeddedGame(folder: string) {
  const gameFolder = join(folder, 'game')
  const exists = await stat(gameFolder).then(
    () => true,
    () => false,
  )
  if (!exists) {
    const temporaryFolder = join(folder, 'game.installing')
    await rm(temporaryFolder, { recursive: true, force: true })
    await mkdir(temporaryFolder, { recursive: true })
    const db = await PGlite.create(temporaryFolder)
    await db.transaction(async (tx) => {
      for (const statement of Object.values(createTableStatements('postgres')).flat()) await tx.exec(statement)
      for (const statement of writePopulation(new Date())) await tx.exec(statement)
    })
    await db.close()
    await rename(temporaryFolder, gameFolder)
  }
  const db = await PGlite.create(gameFolder)
  const port = await openPglitePort(db)
  const toDatabaseUrl = (name: string) => `postgres://game@127.0.0.1:${port.port}/${name}`
  return {
    urls: {
      user: toDatabaseUrl('ranuser'),
      game: toDatabaseUrl('rangame'),
      shop: toDatabaseUrl('ranshop'),
      log: toDatabaseUrl('ranlog'),
    },
    close: async () => {
      await port.close()
      await db.close()
    },
  }
}

const formatText = (value: string | number | null) =>
  value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`

/** Formats a time as the game stores it: in this machine's local time, without a UTC offset. */
function formatLocalTime(at: Date | null): string | null {
  if (at === null) return null
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}

function formatCharacterInsert(rows: Character[]): string {
  const values = rows.map((row) =>
    [
      row.cha_num,
      row.user_num,
      row.cha_name,
      row.cha_class,
      row.cha_school,
      row.club ?? 0,
      row.cha_level,
      row.cha_money,
      row.cha_pk_score,
      row.cha_pk_death,
      row.cha_mmr,
      row.cha_resu_score,
      formatLocalTime(row.level_up_at),
    ].map(formatText),
  )
  return `insert into ChaInfo (ChaNum, UserNum, ChaName, ChaClass, ChaSchool, GuNum, ChaLevel, ChaMoney, ChaPKScore, ChaPKDeath, ChaMMR,
    ChaResuScore, ChaLevelUpDate) values ${values.map((row) => `(${row.join(', ')})`).join(', ')}`
}

function* writePopulation(now: Date): Generator<string> {
  const { players, characters } = createPopulation(now)
  const accounts = players.map(({ user_id, user_type, blocked_at }) => {
    const passwordHash = randomBytes(16).toString('hex').toUpperCase().slice(0, 19)
    return `(${[user_id, user_id, passwordHash, user_type > 1 ? DEMO_STAFF_TYPE : 1, blocked_at === null ? 0 : 1].map(formatText).join(', ')})`
  })
  yield `insert into UserInfo (UserID, UserName, UserPass, UserType, UserBlock) values ${accounts.join(', ')}`
  const presentCharacters = characters.filter(({ user_num }) => !isUnjoined(user_num))
  for (let from = 0; from < presentCharacters.length; from += ROWS_PER_STATEMENT)
    yield formatCharacterInsert(presentCharacters.slice(from, from + ROWS_PER_STATEMENT))
  const clubs = makeClubs(characters, now).map(({ club, name, leader, wins, losses, draws, founded_at }) =>
    [club, leader, name, formatLocalTime(founded_at), wins, losses, draws].map(formatText),
  )
  yield `insert into GuildInfo (GuNum, ChaNum, GuName, GuMakeTime, GuBattleWin, GuBattleLose, GuBattleDraw)
    values ${clubs.map((club) => `(${club.join(', ')})`).join(', ')}`
  yield `insert into GuildAlliance (GuNumP, GuNumS) values ${makeAlliances()
    .map(({ club, leader }) => `(${leader}, ${club})`)
    .join(', ')}`
  // The game stores a pixel as blue, green, red and alpha.
  for (const { club, pixels } of makeMarks())
    yield `update GuildInfo set GuMarkVer = 1,
      GuMarkImage = '\\x${pixels.toString('hex').replace(/(..)(..)(..)(..)/g, '$3$2$1$4')}' where GuNum = ${club}`
  yield `insert into GuildRegion (RegionID, GuNum, RegionTax) values ${REGIONS.map((region) => `(${region.join(', ')})`).join(', ')}`
  // Reserves the ids of the characters that are created later, with the accounts of their players.
  yield `select setval(pg_get_serial_sequence('chainfo', 'chanum'), ${characters.length})`
}

/** The regions of the game, each with its owner and its tax in percent. */
const REGIONS = [
  [1, 1, 5],
  [2, 4, 8],
  [3, 0, 0],
]

/** The time after which players pick up items from the item bank. */
const PICK_UP_DELAY = '3 seconds'
const CHECK_EVERY_MS = 500
const PLAY_EVERY_MS = 20_000
/** The shares of characters online at the quietest and the busiest hour, and the busiest hour in Manila. */
const ONLINE_SHARE = { least: 0.015, most: 0.12, fullestHour: 21 }

/** The probability of a club battle in a round. */
const BATTLE_CHANCE = 0.1

/** An event of the game that `playGame` reports. */
export type PlayEvent = { kind: 'arrived' | 'taken'; player: string; item: string } | { kind: 'joined'; player: string }

export type Play = {
  stop(): Promise<void>
  /** Rejects when playing can no longer continue. */
  completion: Promise<void>
}

/**
 * Plays the game: new accounts create a character, players pick up units from their item bank after a few seconds, and
 * some of them log in, fight and leave.
 *
 * @param report receives the events that concern the site's players
 */
export async function playGame(url: string, report: (event: PlayEvent) => void): Promise<Play> {
  let connection: GameConnection | undefined = await connectGame('postgres', url)
  const stopping = new AbortController()
  let lastPlayedAt = Number.NEGATIVE_INFINITY
  const [row] = await connection.query('select coalesce(max(PurKey), 0) as purkey from ShopPurchase')
  let lastSeenKey = toNumber(row?.purkey) ?? 0
  const round = async (game: GameConnection) => {
    for (const player of await makeNewCharacters(game)) report({ kind: 'joined', player })
    for (const { purkey, player, item } of await readItems(game, lastSeenKey)) {
      lastSeenKey = Number(purkey)
      report({ kind: 'arrived', player: toText(player), item: toText(item) })
    }
    for (const { player, item } of await takeItems(game))
      report({ kind: 'taken', player: toText(player), item: toText(item) })
    if (performance.now() - lastPlayedAt < PLAY_EVERY_MS) return
    lastPlayedAt = performance.now()
    await playRound(game)
  }
  const loopEnd = (async () => {
    while (!stopping.signal.aborted) {
      try {
        connection ??= await connectGame('postgres', url)
        await round(connection)
      } catch (error) {
        // On a busy machine a statement can exceed the driver's timeout. The next round connects again.
        if (!(error instanceof GameUnavailable)) throw error
        await connection?.close().catch(() => {})
        connection = undefined
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, CHECK_EVERY_MS)
        stopping.signal.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  })()
  const stop = async () => {
    stopping.abort()
    await loopEnd.catch(() => {})
    await connection?.close()
  }
  return { stop, completion: loopEnd }
}

/**
 * Creates the characters of new accounts, which the bridge has given a creation date: those that the player has in the
 * demo world, or one new character.
 *
 * @returns the accounts' user IDs
 */
async function makeNewCharacters(game: GameConnection): Promise<string[]> {
  const newAccounts = await game.query(
    `select u.UserNum, u.UserID from UserInfo u left join ChaInfo c on c.UserNum = u.UserNum
    where c.UserNum is null and u.CreateDate is not null`,
  )
  for (const { usernum, userid } of newAccounts) {
    const unjoinedUser = Object.entries(UNJOINED_ACCOUNTS).find(([name]) => name === toText(userid).toLowerCase())?.[1]
    const ownCharacters = createPopulation(new Date()).characters.filter(({ user_num }) => user_num === unjoinedUser)
    if (ownCharacters.length > 0)
      await game.run(formatCharacterInsert(ownCharacters.map((row) => ({ ...row, user_num: Number(usernum) }))))
    else
      await game.run(
        `insert into ChaInfo (UserNum, ChaName, ChaClass, ChaSchool)
        values (:usernum, :name, :class, :school) on conflict do nothing`,
        {
          usernum: Number(usernum),
          name: `Bago${toText(userid)}`,
          class: [1, 2, 4, 8][Number(usernum) % 4] ?? 1,
          school: Number(usernum) % 3,
        },
      )
  }
  return newAccounts.map(({ userid }) => toText(userid))
}

const ITEM = `coalesce(m.ItemName, 'product ' || p.ProductNum) as item`

const readItems = (game: GameConnection, lastSeenKey: number): Promise<Row[]> =>
  game.query(
    `select p.PurKey, p.UserUID as player, ${ITEM} from ShopPurchase p
    left join ShopItemMap m on m.ProductNum = p.ProductNum where p.PurKey > :seen order by p.PurKey`,
    { seen: lastSeenKey },
  )

/** Lets players pick up their items: sets the flag to 1, as the game's own procedure does. */
const takeItems = (game: GameConnection): Promise<Row[]> =>
  game.query(
    `with taken as (
      update ShopPurchase set PurFlag = 1, PurChgDate = localtimestamp
      where PurFlag = 0 and PurDate < localtimestamp - interval '${PICK_UP_DELAY}' returning PurKey)
    select p.UserUID as player, ${ITEM} from taken t join ShopPurchase p on p.PurKey = t.PurKey
    left join ShopItemMap m on m.ProductNum = p.ProductNum order by p.PurKey`,
  )

/**
 * Chooses at random which characters are online, most of them in the evening. Lets a few of them win, lose and resurrect
 * each other.
 */
async function playRound(game: GameConnection): Promise<void> {
  const hour = (Date.now() / 3_600_000 + 8) % 24
  const dayFactor = (1 + Math.cos(((hour - ONLINE_SHARE.fullestHour) / 24) * 2 * Math.PI)) / 2
  await game.run('update ChaInfo set ChaOnline = case when random() < :share::float then 1 else 0 end', {
    share: ONLINE_SHARE.least + (ONLINE_SHARE.most - ONLINE_SHARE.least) * dayFactor,
  })
  await game.run(
    `update ChaInfo set ChaPKScore = ChaPKScore + (random() * 2)::int, ChaPKDeath = ChaPKDeath + (random() * 2)::int,
      ChaMMR = greatest(0, ChaMMR + (random() * 30)::int - 14), ChaMoney = ChaMoney + (random() * 40000)::int,
      ChaResuScore = ChaResuScore + case when ChaClass in (8, 512, 16, 32) then (random() * 6)::int else 0 end
    where ChaNum in (select ChaNum from ChaInfo where ChaOnline = 1 order by random() limit 20)`,
  )
  await game.run(
    `insert into LogKill (KillDate, ChaNum, VictimNum)
    select localtimestamp, a.ChaNum, b.ChaNum from
      (select ChaNum from ChaInfo where ChaOnline = 1 order by random() limit 1) a,
      (select ChaNum from ChaInfo where ChaOnline = 1 order by random() limit 1) b where a.ChaNum <> b.ChaNum`,
  )
  if (Math.random() < BATTLE_CHANCE) await fightBattle(game)
}

/** Lets two clubs fight for a random region, which the winner then holds. */
async function fightBattle(game: GameConnection): Promise<void> {
  const [winner, loser] = await game.query('select GuNum from GuildInfo order by random() limit 2')
  if (winner === undefined || loser === undefined) return
  const [winnerNum, loserNum] = [Number(winner.gunum), Number(loser.gunum)]
  await game.run('update GuildInfo set GuBattleWin = GuBattleWin + 1 where GuNum = :won', { won: winnerNum })
  await game.run('update GuildInfo set GuBattleLose = GuBattleLose + 1 where GuNum = :lost', { lost: loserNum })
  await game.run(
    `update GuildRegion set GuNum = :won, RegionTax = (random() * 12)::int
    where RegionID = (select RegionID from GuildRegion order by random() limit 1)`,
    { won: winnerNum },
  )
  await game.run(
    `insert into LogGuildWar (WarDate, GuNum, LoserNum, RegionID)
    values (localtimestamp, :won, :lost, (select min(RegionID) from GuildRegion where GuNum = :won))`,
    { won: winnerNum, lost: loserNum },
  )
}

/** Returns the number of the site's players who have a character. */
export async function countJoined(url: string): Promise<number> {
  const game = await connectGame('postgres', url)
  try {
    const [row] = await game.query(
      'select count(distinct u.UserNum) as players from UserInfo u join ChaInfo c on c.UserNum = u.UserNum where u.CreateDate is not null',
    )
    return toNumber(row?.players) ?? 0
  } finally {
    await game.close()
  }
}

/** Adds the site's products to the game, as an operator does. */
export async function addProducts(url: string, products: { number: number; name: string }[]): Promise<void> {
  const game = await connectGame('postgres', url)
  try {
    for (const { number, name } of products)
      await game.run(
        `insert into ShopItemMap (ProductNum, ItemMain, ItemSub, ItemName) values (:number, 7, :number, :name)
        on conflict (ProductNum) do update set ItemName = excluded.ItemName`,
        { number, name: name.slice(0, 100) },
      )
  } finally {
    await game.close()
  }
}
