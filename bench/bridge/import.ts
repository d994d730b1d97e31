import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { type Amounts, createPlayers, ended, type World } from './world.ts'

/** Most memory that a process has had, in MB. */
const readPeak = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Moving accounts in. */
export async function measureImport(world: World, { accounts }: Amounts): Promise<void> {
  const { game, db, bridge, sitePid } = world
  const at = 5000
  for (let from = 1; from <= accounts; from += at) {
    const row = (_: unknown, nth: number) => `('luma${from + nth}', 'luma${from + nth}', upper(md5('${from + nth}')))`
    const values = Array.from({ length: Math.min(at, accounts - from + 1) }, row).join(', ')
    await game.run('user', `insert into UserInfo (UserID, UserName, UserPass) values ${values}`)
  }
  const [owner] = await createPlayers(world, 1)
  await sql`insert into game_import (opened_at, opened_by, closes_at)
    values (now(), ${owner}, now() + interval '24 hours')`.execute(db)
  const began = performance.now()
  const agent = bridge('import-accounts', '--apply')
  const done = ended(agent)
  let [agentPeak, sitePeak] = [0, 0]
  const measure = () => {
    try {
      ;[agentPeak, sitePeak] = [readPeak(agent.pid), readPeak(sitePid())]
    } catch {
      // It has ended.
    }
  }
  const timer = setInterval(measure, 250)
  await done
  clearInterval(timer)
  const { rows: moved } = await sql<{ count: number }>`select count(*)::int as count from game_imports`.execute(db)
  console.log(
    `import of ${moved[0]?.count} accounts: ${Math.round((performance.now() - began) / 1000)} s; most memory: agent ${Math.round(agentPeak)} MB, site ${Math.round(sitePeak)} MB`,
  )
}
