import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CHARACTERS_IN_BLOCK,
  type CharacterRow,
  type ClubRow,
  compareCharacters,
  reportGame,
  sendCharacters,
  sendClubs,
  sendMarks,
} from '#contract/bridge-characters.ts'
import { openPlayerSession } from '#test/account-helpers.ts'
import { createAgentDouble, listenForBridges } from '#test/bridge-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'demo' })
const { db } = site
const agent = await createAgentDouble(site, await listenForBridges(site))
await agent.start()

const get = async (path: string) => {
  site.cache.clear()
  return site.get(path)
}
const readRanking = async () => (await get('/api/club-ranking')).json().data
const getNames = (rows: { GuName?: string; ChaName?: string }[]) => rows.map((row) => row.GuName ?? row.ChaName)

/** Sends the hashes of all clubs and then the requested blocks, as the agent does. @returns the requested blocks */
async function syncClubs(clubs: ClubRow[]): Promise<number[]> {
  const blocks = [...Map.groupBy(clubs, ([club]) => Math.floor(club / 64))].map(([block, rows]) => ({
    block,
    rows,
    hash: `${JSON.stringify(rows).length}-${JSON.stringify(rows)}`.replace(/\W/g, '').padEnd(16, '0').slice(0, 44),
  }))
  const hashes = blocks.map(({ block, hash }) => ({ block, hash }))
  const { wanted_clubs } = await agent.call(reportGame, { problem: '', online: 3, areas: null, clubs: hashes })
  await agent.call(sendClubs, { blocks: blocks.filter(({ block }) => wanted_clubs.includes(block)) })
  return wanted_clubs
}

type Member = { num: number; club: number; level?: number; school?: number; keptOut?: 0 | 1 | 2 | 3 }

async function syncCharacters(members: Member[]): Promise<void> {
  const rows = members.map(
    ({ num, club, level = 10, school = 0, keptOut = 0 }): CharacterRow => [
      ...([num, 5000 + num, `Bagani${num}`, 1, school, level, 0, 0, 0, 0, 0, null] as const),
      keptOut,
      club,
    ],
  )
  const block = Math.floor((members[0]?.num ?? 0) / CHARACTERS_IN_BLOCK)
  const hash = `characters-${Math.random().toString(36).slice(2)}`.padEnd(20, '0')
  const comparison = { age_ms: 0, blocks: [block], hashes: [hash], lacks: [], took_ms: 1, sent_bytes: 1, changed: 1 }
  await agent.call(compareCharacters, comparison)
  await agent.call(sendCharacters, { age_ms: 0, blocks: [{ block, from: null, to: hash, rows, gone: [] }] })
  await agent.call(compareCharacters, comparison)
}

test('the demo world has clubs with members, and a character’s page links to its club (CLUB-2)', async () => {
  const clubs = await readRanking()
  assert.equal(clubs.length, 12)
  assert.ok(clubs.every(({ leader, members }: { leader: unknown; members: number }) => leader !== null && members > 5))
  const juan = await db
    .selectFrom('characters')
    .where('cha_name', '=', 'JuanTamad')
    .select('cha_num')
    .executeTakeFirst()
  const { club } = (await get(`/api/character/${juan?.cha_num}`)).json()
  assert.equal(club.GuName, 'Bukang Liwayway')
  const { roll } = (await get(`/api/club/${club.GuNum}`)).json()
  assert.ok(getNames(roll).includes('JuanTamad'))
})

test('the game’s first clubs replace those of the demo world, and menus need clubs (CLUB-4)', async () => {
  assert.ok(!(await get('/api/site')).json().preparing.includes('/rankings/club'))
  await syncCharacters([{ num: 1, club: 3, level: 50 }])
  assert.deepEqual(await db.selectFrom('club_alliances').selectAll().execute(), [])
  assert.deepEqual(await readRanking(), [])
  assert.ok((await get('/api/site')).json().preparing.includes('/rankings/club'))
  await syncClubs([[3, 'Katipunan', 1, 4, 2, 1, 1_700_000_000]])
  // The notice of a change reaches the site's caches shortly after the commit.
  await sleep(200)
  assert.ok(!(await site.get('/api/site')).json().preparing.includes('/rankings/club'))
  assert.match((await get('/sitemap-clubs-1.xml')).text, /\/club\/3</)
})

test('orders clubs by wins, draws and losses, and omits those without visible members (CLUB-3)', async () => {
  await syncCharacters([
    { num: 1, club: 3, level: 50 },
    { num: 2, club: 3, level: 60 },
    { num: 3, club: 4 },
    { num: 4, club: 5 },
    { num: 5, club: 70, school: 2 },
    { num: 6, club: 6, keptOut: 3 },
    { num: 7, club: 3, keptOut: 1 },
    { num: 8, club: 99 },
  ])
  await syncClubs([
    [3, 'Katipunan', 1, 4, 2, 1, 1_700_000_000],
    [4, '  Bayan\u200b  ', 7, 4, 2, 2, null],
    [5, 'Lakas', 0, 4, 1, 1, 0],
    [6, 'Wala', 6, 99, 0, 0, null],
    [70, 'Malayo', 5, 9_000_000_000, 0, 0, null],
  ])
  const clubs = await readRanking()
  assert.deepEqual(getNames(clubs), ['Malayo', 'Bayan', 'Lakas', 'Katipunan'])
  // The ranking names no leader who is staff, deleted or in another club.
  assert.deepEqual(
    clubs.map(({ leader }: { leader: { ChaName: string } | null }) => leader?.ChaName ?? null),
    ['Bagani5', null, null, 'Bagani1'],
  )
  assert.deepEqual([clubs[0].wins, clubs[0].school, clubs[3].members], [1_000_000_000, 2, 2])
  assert.equal((await get('/api/club/6')).status, 404)
  assert.equal((await get('/api/club/404')).status, 404)
  assert.equal((await get('/api/character/8')).json().club, null)
})

test('shows a club’s members by level with their best ranks, and its areas (CLUB-2)', async () => {
  await db
    .updateTable('club_areas')
    .set({ club: 'Katipunan', tax_percent: 7 })
    .where('name', '=', 'Old Market')
    .execute()
  const club = (await get('/api/club/3')).json()
  assert.partialDeepStrictEqual(club, { GuName: 'Katipunan', rank: 4, wins: 4, losses: 2, draws: 1, members: 2 })
  assert.equal(club.founded_at, new Date(1_700_000_000_000).toISOString())
  assert.deepEqual(getNames(club.roll), ['Bagani2', 'Bagani1'])
  assert.deepEqual(club.roll[0].best, { board: 'level', rank: 1 })
  assert.partialDeepStrictEqual(club.areas, [{ name: 'Old Market', tax_percent: 7 }])
  assert.partialDeepStrictEqual(club.held, [{ name: 'Old Market', until: null }])
  assert.deepEqual((await readRanking())[3].areas, ['Old Market'])
  assert.deepEqual((await get('/api/character/1')).json().club, { GuNum: 3, GuName: 'Katipunan', leads: true })
})

test('a club shows its mark until an operator hides it or the game has none (CLUB-5)', async () => {
  const picture = { width: 2, height: 1, pixels: Buffer.from('ff0000ff00000000', 'hex').toString('base64') }
  const report = async (...versions: [number, number][]) => {
    const { wanted_marks } = await agent.call(reportGame, {
      problem: '',
      online: 3,
      areas: null,
      marks: { form: 'a', versions },
    })
    return wanted_marks
  }
  const send = (club: number, version: number, mark: typeof picture | null) =>
    agent.call(sendMarks, { form: 'a', marks: [{ club, version, picture: mark }] })
  const readMark = async () => (await get('/api/club/3')).json().mark
  assert.deepEqual(await report([3, 7]), [3])
  await send(3, 7, picture)
  assert.deepEqual(await report([3, 7]), [])
  const address = await readMark()
  assert.match(address, /^\/club\/3\.png\?v=[0-9a-f]{8}$/)
  assert.equal((await readRanking()).find(({ GuNum }: { GuNum: number }) => GuNum === 3).mark, address)
  const { status, headers } = await site.get(address)
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/png'])

  const gm = await openPlayerSession(site, 'gm')
  const callMarks = (path: string) =>
    site.post(`/api/admin/rankings/marks/${path}`, { club: 3, reason: 'Not for children' }, gm.headers)
  const listMarks = async (query = '') => (await gm.get(`/api/admin/rankings/marks${query}`)).json().rows
  assert.match((await listMarks())[0].picture, /^data:image\/png;base64,/)
  assert.equal((await callMarks('hide')).status, 200)
  assert.equal((await callMarks('hide')).status, 409)
  assert.equal(await readMark(), null)
  assert.equal((await site.get('/club/3.png')).status, 404)
  // The mark stays hidden after another mark and after a removal in the game.
  await report([3, 8])
  await send(3, 8, picture)
  await report()
  assert.equal(await readMark(), null)
  assert.deepEqual(
    (await listMarks('?state=hidden')).map(({ club, name }: { club: number; name: string }) => [club, name]),
    [[3, 'Katipunan']],
  )
  assert.equal((await callMarks('show')).status, 200)
  assert.equal((await callMarks('show')).status, 409)
  assert.equal(await readMark(), address)

  await send(3, 9, null)
  assert.equal(await readMark(), null)
  await send(3, 10, picture)
  assert.deepEqual(await report([3, 10]), [])
  await report()
  assert.equal(await readMark(), null)
  await assert.rejects(send(3, 11, { ...picture, width: 3 }), /4 bytes for each pixel/)
})

test('lists the clubs of an alliance that have a page, and names its leader in the wars (CLUB-6)', async () => {
  const report = (alliances: [number, number][] | null) =>
    agent.call(reportGame, { problem: '', online: 3, areas: null, alliances })
  const readAllies = async (club: number) => getNames((await get(`/api/club/${club}`)).json().alliance)
  const readHolderAlliance = async () =>
    (await get('/api/wars')).json().areas.find(({ club }: { club: string }) => club === 'Katipunan').alliance
  assert.deepEqual([await readAllies(3), await readHolderAlliance()], [[], null])
  // Club 6 has no visible member, and there is no club 404.
  await report([
    [3, 4],
    [4, 4],
    [70, 4],
    [5, 6],
    [6, 6],
    [404, 4],
  ])
  assert.deepEqual(await readAllies(3), ['Bayan', 'Malayo', 'Katipunan'])
  assert.deepEqual(
    (await get('/api/club/70')).json().alliance.map(({ leads }: { leads: boolean }) => leads),
    [true, false, false],
  )
  assert.deepEqual(await readHolderAlliance(), { GuNum: 4, GuName: 'Bayan' })
  assert.deepEqual(await readAllies(5), [])
  await report(null)
  assert.equal((await readAllies(3)).length, 3)
  await report([
    [3, 3],
    [70, 3],
  ])
  assert.deepEqual(await readAllies(70), ['Katipunan', 'Malayo'])
  assert.deepEqual(await readHolderAlliance(), { GuNum: 3, GuName: 'Katipunan' })
  await report([])
  assert.deepEqual([await readAllies(3), await readHolderAlliance()], [[], null])
})

test('requests only changed blocks of clubs, and deletes clubs that the game deleted (CLUB-1)', async () => {
  const clubs: ClubRow[] = [
    [3, 'Katipunan', 1, 4, 2, 1, null],
    [4, 'Bayan', 3, 4, 2, 2, null],
    [70, 'Malayo', 5, 9, 0, 0, null],
  ]
  assert.deepEqual(await syncClubs(clubs), [0, 1])
  assert.deepEqual(await syncClubs(clubs), [])
  assert.deepEqual(await syncClubs(clubs.slice(0, 1)), [0])
  assert.deepEqual(getNames(await readRanking()), ['Katipunan'])
  // Values that the agent could not read stay unchanged.
  await agent.call(reportGame, { problem: 'away', online: null, areas: null, clubs: null })
  assert.equal((await readRanking()).length, 1)
  const clubsOutsideBlock = {
    blocks: [{ block: 1, hash: '0'.repeat(16), rows: [[3, 'Katipunan', 0, 0, 0, 0, null] as ClubRow] }],
  }
  await assert.rejects(agent.call(sendClubs, clubsOutsideBlock), { status: 422 })
  await syncClubs([])
  assert.deepEqual(await readRanking(), [])
})
