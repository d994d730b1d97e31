import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { runAgent } from '#bridge/agent.ts'
import {
  createSyncMemory,
  type Reading,
  type ReportedBlocks,
  readGame,
  reportCharacters,
  syncGame,
} from '#bridge/characters.ts'
import { checkGame } from '#bridge/check.ts'
import type { GameConfig } from '#bridge/config.ts'
import { createLogMemory, reportGameLog } from '#bridge/logs.ts'
import { drawMark } from '#bridge/marks.ts'
import { createSiteCall, SiteUnavailable } from '#bridge/site.ts'
import { sendCharacters } from '#contract/bridge-characters.ts'
import type { RankedCharacter } from '#contract/rankings.ts'
import type { GameKind } from '#scripts/game-tables.ts'
import { createAgentDouble, listenForBridges } from '#test/bridge-helpers.ts'
import { startGame } from '#test/games.ts'
import { createTestApp } from '#test/helpers.ts'

/** Tests on a kind of game database that the site shows the characters that the agent reads. */
async function testCharactersOn(kind: GameKind) {
  const game = await startGame(kind)
  const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
  const { db } = site
  const address = await listenForBridges(site)
  const agent = await createAgentDouble(site, address)
  // Several starts of one process. Each takes over from the previous one at once (BRIDGE-23).
  const agentProcess = randomUUID()
  const callAsAgent = agent.callAs(`${agentProcess}-1`)
  await agent.start(callAsAgent)
  const config: GameConfig = {
    preset: game.preset,
    dialect: kind,
    urls: game.urls,
    userUid: 'UserName',
    passwordForm: 'plain',
    names: {},
    account: {},
    statements: {},
  }
  const neverAborted = new AbortController().signal
  const syncMemory = createSyncMemory()
  const sync = (overrides: Partial<GameConfig> = {}) =>
    syncGame({ ...config, ...overrides }, callAsAgent, syncMemory, neverAborted)
  const reportBlocks = async (memory: ReportedBlocks, call = callAsAgent) =>
    reportCharacters(call, await readGame(config, neverAborted), memory, neverAborted)
  const readBoards = async () => {
    site.cache.clear()
    return (await site.get('/api/get-top-rankings-list')).json()
  }
  const listNames = (rows: RankedCharacter[]) => rows.map(({ ChaName }) => ChaName)
  const readShown = (condition = 'true') =>
    game.query('game', `select ChaNum as num, ChaName as name from ChaInfo where ${condition} order by ChaNum`)

  test(`${kind}: the site shows the game's characters and hides staff, blocked and deleted ones`, async () => {
    await game.run(
      'user',
      `insert into UserInfo (UserNum, UserID, UserName, UserPass, UserType) values (1, 'one', 'one', 'x', 1), (4, 'four', 'four', 'x', 1),
        (501, 'gm', 'gm', 'x', 30)`,
    )
    await game.run(
      'user',
      `insert into UserInfo (UserNum, UserID, UserName, UserPass, UserBlock, UserBlockDate, LastLoginDate) values
        (502, 'bad', 'bad', 'x', 1, '2200-01-01 00:00:00', null),
        (503, 'free', 'free', 'x', 1, '2020-01-01 00:00:00', '2020-01-01 00:00:00')`,
    )
    await game.run(
      'game',
      `insert into ChaInfo (ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel, ChaMMR, ChaMoney, ChaPKScore, ChaLevelUpDate,
        ChaDeleted, ChaOnline, ChaInven) values
        (1, 1, 'Peña   ', 64, 2, 90, 1500, 4000000000, 7, '2026-11-01 12:30:00', 0, 1, 'not for us'),
        (2, 501, 'Bathala', 1, 0, 99, 9999, 0, 0, null, 0, 1, null), (3, 502, 'Sutil', 1, 0, 98, 9998, 0, 0, null, 0, 0, null),
        (4, 4, 'Burado', 1, 0, 97, 9997, 0, 0, null, 1, 1, null), (5, 503, 'Laya', 4, 0, 80, 1600, 5, 0, null, 0, 1, null),
        (70000, 6, 'Malayo', 33554432, 7, 70, 0, 0, 0, null, 0, 0, null)`,
    )
    assert.equal(await sync(), '')
    const { toplevel, topmmr } = await readBoards()
    assert.deepEqual(listNames(toplevel), ['Peña', 'Laya', 'Malayo'])
    assert.deepEqual(listNames(topmmr), ['Laya', 'Peña', 'Malayo'])
    const { ChaClass, ChaSchool, ChaMoney, ChaLevelUpDate } = toplevel[0]
    assert.deepEqual(
      [ChaClass, ChaSchool, ChaMoney, ChaLevelUpDate],
      ['64', 2, 4_000_000_000, new Date('2026-11-01T12:30:00').toISOString()],
    )
    const state = await db.selectFrom('game_sync').selectAll().executeTakeFirstOrThrow()
    // A deleted character does not count as playing, nor does one whose account last logged in years ago.
    assert.deepEqual([state.online, state.problem, state.lacks], [2, '', []])
    assert.deepEqual(
      state.online_groups.toSorted((a, b) => a.class - b.class),
      [
        { school: 0, class: 1, players: 1 },
        { school: 2, class: 64, players: 1 },
      ],
    )
    assert.partialDeepStrictEqual(state.counts, {
      shown: 3,
      staff: 1,
      blocked: 1,
      deleted: 1,
      odd_class: 1,
      odd_school: 1,
    })
  })

  test(`${kind}: a statement of the configuration reads another game's characters, and check runs it`, async () => {
    const withStatement = (readCharacters: string) => ({ ...config, statements: { readCharacters } })
    const statement = (limit: number) => `
      select ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel, ChaPKScore, 0, ChaMMR, 0, ChaMoney, null, ChaDeleted, ChaOnline
      from ChaInfo where ChaNum > :after order by ChaNum limit ${limit}`
    const readRows = async (reading: Promise<Reading>) =>
      [...(await reading).blocks.values()].flatMap(({ rows }) => rows)
    const tableRows = await readRows(readGame(config, neverAborted))
    const statementRows = await readRows(readGame(withStatement(statement(2)), neverAborted))
    assert.deepEqual(
      statementRows.map((row) => row.slice(0, 7)),
      tableRows.map((row) => row.slice(0, 7)),
    )
    const wrongConfig = withStatement('select ChaNum, ChaName from ChaInfo where ChaNum > :after order by ChaNum')
    await assert.rejects(readGame(wrongConfig, neverAborted), /readCharacters returns 2 columns instead of 14 or 15/)
    const listFindings = async (gameConfig: GameConfig) =>
      (await checkGame({ ...gameConfig, site: address, keyFile: '' }, undefined)).map(
        ({ level, what }) => `${level}: ${what}`,
      )
    assert.ok(
      (await listFindings(withStatement(statement(5000)))).includes('good: Your statement readCharacters works.'),
    )
    assert.ok(
      (await listFindings(wrongConfig)).some((line) =>
        line.startsWith('problem: Your statement readCharacters does not work'),
      ),
    )
  })

  test(`${kind}: sends only hashes if nothing changed, and only the changed character otherwise`, async () => {
    const memory: ReportedBlocks = new Map()
    const first = await reportBlocks(memory)
    assert.equal(first.changed, 0)
    await game.run('game', `update ChaInfo set ChaLevel = 91, ChaPKScore = 9 where ChaNum = 1`)
    const { changed, bytes } = await reportBlocks(memory)
    assert.equal(changed, 1)
    assert.ok(bytes < 1500, `${bytes} bytes`)
    const { toplevel, toppk } = await readBoards()
    assert.equal(toplevel[0].ChaLevel, 91)
    assert.deepEqual(listNames(toppk), ['Peña'])
    assert.equal(toppk[0].ChaPKScore, 2)
  })

  test(`${kind}: hides characters that are no longer in the game, and shows returned ones`, async () => {
    await game.run('game', `update ChaInfo set ChaNum = 90000 where ChaNum = 70000`)
    await sync()
    assert.deepEqual(listNames((await readBoards()).toplevel), ['Peña', 'Laya', 'Malayo'])
    await game.run('game', `delete from ChaInfo where ChaNum in (5, 90000)`)
    await sync()
    assert.deepEqual(listNames((await readBoards()).toplevel), ['Peña'])
  })

  test(`${kind}: continues an interrupted report with the missing blocks`, async () => {
    await game.run('game', 'delete from ChaInfo where ChaNum > 5')
    const values = Array.from({ length: 6000 }, (_, n) => `(${n + 1000}, ${n + 1000}, 'Kawal${n}', 1, 0, 10)`)
    await game.run(
      'game',
      `insert into ChaInfo (ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel) values ${values.join(', ')}`,
    )
    let requestCount = 0
    const failingCall = createSiteCall({
      site: address,
      bridge: agent.bridge,
      signKey: agent.sign,
      instance: `${agentProcess}-2`,
      now: site.now,
      fetch: (url, init) => {
        if (String(url).endsWith(sendCharacters.path) && ++requestCount > 1)
          return Promise.reject(new Error('the line is dead'))
        return fetch(url, init)
      },
    })
    await agent.start(failingCall)
    await assert.rejects(reportBlocks(new Map(), failingCall), SiteUnavailable)
    const sentCount = Number(
      (
        await db
          .selectFrom('characters')
          .where('cha_num', '>=', 1000)
          .where('cha_num', '<', 7000)
          .select((eb) => eb.fn.countAll().as('n'))
          .executeTakeFirst()
      )?.n,
    )
    assert.ok(sentCount > 3000 && sentCount < 6000, `${sentCount}`)
    await agent.start(callAsAgent)
    const { changed } = await reportBlocks(new Map())
    assert.equal(changed, 6000 - sentCount)
    assert.equal((await readShown()).length, 6003 + 1)
  })

  test(`${kind}: reads columns renamed in the configuration, and leaves the board of a missing one empty`, async () => {
    await game.run('game', 'alter table ChaInfo rename column ChaResuScore to ChaPKResu')
    await game.run('game', 'alter table ChaInfo rename column ChaMMR to Rating')
    assert.equal(await sync(), '')
    const readLacks = async () => (await db.selectFrom('game_sync').select('lacks').executeTakeFirstOrThrow()).lacks
    assert.deepEqual([await readLacks(), (await readBoards()).topmmr], [['mmr'], []])
    assert.equal(await sync({ names: { ChaMMR: 'Rating' } }), '')
    assert.deepEqual(await readLacks(), [])
    assert.equal(listNames((await readBoards()).topmmr)[0], 'Peña')
    const problem = await sync({ names: { ChaInfo: 'NoSuchTable' } })
    assert.match(problem, /no table NoSuchTable/)
    assert.equal((await db.selectFrom('game_sync').select('problem').executeTakeFirstOrThrow()).problem, problem)
    await game.run('game', 'alter table ChaInfo rename column Rating to ChaMMR')
    await game.run('game', 'alter table ChaInfo rename column ChaPKResu to ChaResuScore')
  })

  test(`${kind}: reads clubs and their members from renamed columns, and none without the table`, async () => {
    const readClubs = async () => {
      site.cache.clear()
      const { data } = (await site.get('/api/club-ranking')).json()
      return data.map(({ GuName, wins, losses, draws, members, leader }: Record<string, unknown>) => [
        ...[GuName, wins, losses, draws, members],
        (leader as { ChaName: string } | null)?.ChaName ?? null,
      ])
    }
    await game.run(
      'game',
      `insert into GuildInfo (GuNum, ChaNum, GuName, GuMakeTime, GuBattleWin, GuBattleLose, GuBattleDraw) values
        (3, 1, 'Katipunan   ', '2026-01-05 10:00:00', 7, 2, 1), (900, 1000, 'Peña', null, 9, 0, 0)`,
    )
    await game.run('game', 'update ChaInfo set GuNum = 3 where ChaNum in (1, 2, 1002)')
    await game.run('game', 'update ChaInfo set GuNum = 900 where ChaNum in (1000, 1001)')
    assert.equal(await sync(), '')
    const clubRows = [
      ['Peña', 9, 0, 0, 2, 'Kawal0'],
      // Account 2 is staff in the game.
      ['Katipunan', 7, 2, 1, 2, 'Peña'],
    ]
    assert.deepEqual(await readClubs(), clubRows)
    await game.run('game', 'update GuildInfo set GuBattleWin = 10 where GuNum = 3')
    await game.run('game', 'alter table GuildInfo rename column GuBattleWin to Victories')
    assert.equal(await sync(), '')
    assert.deepEqual(
      (await readClubs()).map(([, wins]: unknown[]) => wins),
      [0, 0],
    )
    assert.equal(await sync({ names: { GuBattleWin: 'Victories' } }), '')
    assert.deepEqual(await readClubs(), [['Katipunan', 10, 2, 1, 2, 'Peña'], clubRows[0]])
    await game.run('game', 'alter table GuildInfo rename column Victories to GuBattleWin')
    assert.equal(await sync({ names: { GuildInfo: 'NoSuchTable' } }), '')
    assert.deepEqual(await readClubs(), [])
    await game.run('game', 'delete from GuildInfo')
  })

  test(`${kind}: reads a mark when its version changes, and reports marks of another form`, async () => {
    const white = 'ffffff00'.repeat(16 * 11)
    const formatBytes = (hex: string) => (kind === 'mariadb' ? `x'${hex}'` : `'\\x${hex}'`)
    const readMark = async (config?: Partial<GameConfig>) => {
      assert.equal(await sync(config), '')
      site.cache.clear()
      const { data } = (await site.get('/api/club-ranking')).json()
      return data.find(({ GuNum }: { GuNum: number }) => GuNum === 3).mark
    }
    const check = async (marks?: GameConfig['marks']) => {
      const findings = await checkGame({ ...config, ...(marks && { marks }), site: address, keyFile: '' }, undefined)
      return findings.find(({ what }) => what.includes('marks of'))
    }
    await game.run(
      'game',
      `insert into GuildInfo (GuNum, ChaNum, GuName, GuMarkVer, GuMarkImage) values (3, 1, 'Katipunan', 1, ${formatBytes(white)}),
        (4, 1, 'Malaki', 1, ${formatBytes('00'.repeat(3000))}), (5, 1, 'Wala', 0, null)`,
    )
    await game.run('game', 'update ChaInfo set GuNum = 3 where ChaNum = 1')
    const first = await readMark()
    assert.match(first, /^\/club\/3\.png/)
    await game.run(
      'game',
      `update GuildInfo set GuMarkImage = ${formatBytes('0000ff00'.repeat(16 * 11))} where GuNum = 3`,
    )
    assert.equal(await readMark(), first)
    await game.run('game', 'update GuildInfo set GuMarkVer = 2 where GuNum = 3')
    const second = await readMark()
    assert.notEqual(second, first)
    assert.notEqual(await readMark({ marks: { width: 16, height: 11, bytes: 'RGBA' } }), second)
    assert.deepEqual(await db.selectFrom('club_marks').select(['club', 'picture']).where('club', '>', 3).execute(), [
      { club: 4, picture: null },
    ])
    assert.match((await check())?.what ?? '', /^1 of 2 marks of clubs are not 704 bytes.*: 4 \(3000 bytes\)\.$/)
    assert.equal(await readMark({ marks: { width: 16, height: 12, bytes: 'BGRA' } }), null)
    const file = join(tmpdir(), `mark-${kind}-${process.pid}.png`)
    assert.equal((await drawMark(config, 3, file)).what, `The mark of club 3 is in ${file}.`)
    const { data, info } = await sharp(await readFile(file))
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.width, info.height, [...data.subarray(0, 4)]], [256, 176, [255, 0, 0, 255]])
    await rm(file)
    await game.run('game', 'update GuildInfo set GuMarkVer = 0')
    assert.equal(await readMark(), null)
    await game.run('game', 'delete from GuildInfo')
  })

  test(`${kind}: reads alliances from the configured table, and retains them while it is unreadable`, async () => {
    const allianceNames = { GuildAlliance: 'GuildAlliance', LeaderNum: 'GuNumP', MemberNum: 'GuNumS' }
    const readAlliance = async (names: GameConfig['names'], club = 3) => {
      assert.equal(await sync({ names }), '')
      site.cache.clear()
      const { alliance } = (await site.get(`/api/club/${club}`)).json()
      return alliance.map(({ GuName, leads }: { GuName: string; leads: boolean }) => [GuName, leads])
    }
    const check = async (names: GameConfig['names']) => {
      const findings = await checkGame({ ...config, names, site: address, keyFile: '' }, undefined)
      return findings.filter(({ what }) => /alliance/i.test(what)).map(({ level, what }) => `${level}: ${what}`)
    }
    await game.run(
      'game',
      `insert into GuildInfo (GuNum, ChaNum, GuName) values (3, 1, 'Katipunan'), (4, 1000, 'Bayan'), (5, 1001, 'Lakas'),
        (6, 1, 'Wala')`,
    )
    for (const [chaNum, club] of [
      [1, 3],
      [1000, 4],
      [1001, 5],
    ])
      await game.run('game', `update ChaInfo set GuNum = ${club} where ChaNum = ${chaNum}`)
    await game.run('game', 'insert into GuildAlliance (GuNumP, GuNumS) values (4, 4), (4, 3), (4, 6), (5, 6)')
    assert.deepEqual([await readAlliance({}), await check({})], [[], []])
    const clubRows = [
      ['Bayan', true],
      ['Katipunan', false],
    ]
    // Clubs without a visible member are left out.
    assert.deepEqual(await readAlliance(allianceNames), clubRows)
    assert.deepEqual(await readAlliance(allianceNames, 4), clubRows)
    // Club 6 is in the alliance of its first pair.
    assert.deepEqual(await readAlliance(allianceNames, 5), [])
    assert.deepEqual(await check(allianceNames), ['good: The alliances of clubs can be read: 3 pairs.'])
    const wrongNames = { ...allianceNames, MemberNum: 'NoSuchColumn' }
    assert.match((await check(wrongNames)).join(), /^problem: GuildAlliance has no column NoSuchColumn\.$/i)
    assert.deepEqual(await readAlliance(wrongNames), clubRows)
    // Two clubs with pairs in both directions are in one alliance.
    await game.run('game', 'insert into GuildAlliance (GuNumP, GuNumS) values (3, 4)')
    assert.deepEqual(await readAlliance(allianceNames, 4), [
      ['Katipunan', true],
      ['Bayan', false],
    ])
    await game.run('game', 'delete from GuildAlliance')
    assert.deepEqual(await readAlliance(allianceNames), [])
    await game.run('game', 'delete from GuildInfo')
  })

  test(`${kind}: reads the last kills and wars from the configured logs; a missing log is empty`, async () => {
    const names = {
      KillLog: 'LogKill',
      'KillLog.KillerNum': 'ChaNum',
      WarLog: 'LogGuildWar',
      'WarLog.WinnerNum': 'GuNum',
    }
    const withLog = { ...config, urls: { ...config.urls, log: config.urls.game } }
    const memory = createLogMemory()
    const reportLogs = async (gameConfig: GameConfig = withLog, log = memory) => {
      await reportGameLog(gameConfig, callAsAgent, log, neverAborted)
      site.cache.clear()
      return (await site.get('/api/happenings')).json()
    }
    await game.run('game', `insert into GuildInfo (GuNum, ChaNum, GuName) values (3, 1, 'Katipunan   ')`)
    await game.run('game', `insert into GuildRegion (RegionID, GuNum, RegionTax) values (1, 3, 10), (2, 0, 0)`)
    assert.equal(await sync(), '')
    await game.run(
      'game',
      `insert into LogKill (KillDate, ChaNum, VictimNum) values ('2026-11-01 12:30:00', 1, 1000), ('2026-11-01 12:31:00', 1, 2),
        ('2026-11-01 12:32:00', 1001, 1)`,
    )
    await game.run(
      'game',
      `insert into LogGuildWar (WarDate, GuNum, LoserNum, RegionID) values ('2026-11-01 20:00:00', 3, 77, 2), ('2026-11-02 20:00:00', 77, 3, 2)`,
    )
    assert.deepEqual(await reportLogs(), { kills: [], wars: [] })
    await db.insertInto('settings').values({ name: 'show_who_plays', value: 'true', changed_at: site.now() }).execute()
    const { kills, wars } = await reportLogs({ ...withLog, names })
    // The second victim is staff in the game.
    assert.deepEqual(
      kills.map((kill: Record<'killer' | 'victim', { ChaName: string }>) => [kill.killer.ChaName, kill.victim.ChaName]),
      [
        ['Kawal1', 'Peña'],
        ['Peña', 'Kawal0'],
      ],
    )
    const at = new Date('2026-11-01T20:00:00').toISOString()
    assert.partialDeepStrictEqual(wars, [{ at, winner: { GuNum: 3, GuName: 'Katipunan' }, loser: null }])
    const listFindings = async (gameConfig: GameConfig) =>
      (await checkGame({ ...gameConfig, site: address, keyFile: '' }, undefined)).map(
        ({ level, what }) => `${level}: ${what}`,
      )
    assert.ok(
      (await listFindings({ ...withLog, names })).some((line) =>
        line.startsWith('good: The logs KillLog and WarLog can'),
      ),
    )
    const wrongLog = { ...withLog, names: { ...names, KillLog: 'NoSuchTable' } }
    assert.ok((await listFindings(wrongLog)).some((line) => line.startsWith('problem: There is no table NoSuchTable')))
    // The site retains the last report while a log is unreadable, and the agent reads the log again later.
    const restingMemory = createLogMemory()
    assert.equal((await reportLogs(wrongLog, restingMemory)).kills.length, 2)
    assert.ok(restingMemory.skippedUntil > performance.now())
    assert.deepEqual(await reportLogs(config), { kills: [], wars: [] })
    await db.deleteFrom('settings').where('name', '=', 'show_who_plays').execute()
    await game.run('game', 'delete from GuildInfo')
    await game.run('game', 'delete from GuildRegion')
  })

  test(`${kind}: reports the players online and the owners of the areas`, async () => {
    await game.run('game', `insert into GuildInfo (GuNum, ChaNum, GuName) values (3, 1, 'Katipunan   ')`)
    await game.run('game', `insert into GuildRegion (RegionID, GuNum, RegionTax) values (1, 3, 10), (2, 0, 0)`)
    // The agent's double has reported another database than this agent will.
    await db.deleteFrom('game_copy').execute()
    const stopping = new AbortController()
    const callSite = agent.callAs(`${agentProcess}-3`)
    const agentRun = runAgent({
      config: { ...config, site: address, keyFile: '' },
      callSite,
      version: 'test',
      print: () => {},
      signal: stopping.signal,
      pace: { workMs: 200, watchMs: 40, syncMs: 50, retryMs: 20, retryMaxMs: 100 },
    })
    await game.run('game', 'update ChaInfo set ChaOnline = 1 where ChaNum between 1000 and 1041')
    const readOnline = async () => (await db.selectFrom('game_sync').select('online').executeTakeFirstOrThrow()).online
    const [row] = await game.query(
      'game',
      'select count(distinct UserNum) as playing from ChaInfo where ChaOnline = 1 and ChaDeleted = 0 and UserNum <> 503',
    )
    assert.ok(Number(row?.playing) > 10)
    for (let tries = 0; (await readOnline()) !== Number(row?.playing); tries++) {
      assert.ok(tries < 400)
      await sleep(25)
    }
    stopping.abort()
    await agentRun
    site.cache.clear()
    const { data } = (await site.get('/api/club-areas')).json()
    assert.deepEqual(
      data.map(({ club, tax_percent }: { club: string | null; tax_percent: number }) => [club, tax_percent]),
      [
        ['Katipunan', 10],
        [null, 0],
        [null, 0],
      ],
    )
  })
}

for (const kind of ['mariadb', 'postgres'] as const) await testCharactersOn(kind)
