import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { buy, PRICE, PRODUCT, percentile, startAgent, type World, waitForDelivery } from './world.ts'

/** The same two rows, inserted and committed one unit at a time with the bare driver. */
async function openPlain({ kind, game }: World) {
  const url = game.urls.shop
  const client = new pg.Client(url)
  const mysql = kind === 'mariadb' ? await createConnection({ uri: url.replace('mariadb:', 'mysql:') }) : undefined
  if (mysql === undefined) await client.connect()
  const ask = (text: string, values: (string | number)[] = []): Promise<unknown> => {
    if (mysql !== undefined) return mysql.query(text, values)
    let nth = 0
    return client.query(
      text.replace(/\?/g, () => `$${++nth}`),
      values,
    )
  }
  await ask('create table bench_unit (unit bigint primary key, purkey bigint)')
  let unit = 0
  return {
    write: async (units: number) => {
      for (let nth = 0; nth < units; nth++) {
        await ask('begin')
        await ask('insert into bench_unit (unit) values (?)', [++unit])
        const row = ['plain', PRODUCT, PRICE]
        await ask('insert into ShopPurchase (UserUID, ProductNum, PurPrice, PurFlag) values (?, ?, ?, 0)', row)
        await ask('commit')
      }
    },
    close: async () => {
      await ask(`delete from ShopPurchase where UserUID = 'plain'`)
      await (mysql ?? client).end()
    },
  }
}

/** Units delivered a second. */
export async function measureRate(world: World): Promise<void> {
  const [rounds, units] = [5, 2000]
  const plain = await openPlain(world)
  const agent = startAgent(world)
  // The first order waits for the agent to start.
  await buy(world, 1)
  await waitForDelivery(world)
  await plain.write(500)
  const timed = async (work: () => Promise<void>) => {
    const began = performance.now()
    await work()
    return units / ((performance.now() - began) / 1000)
  }
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await timed(() => plain.write(units))
    await buy(world, units)
    const delivered = await timed(() => waitForDelivery(world))
    const after = await timed(() => plain.write(units))
    ratios.push((2 * delivered) / (before + after))
  }
  const all = ratios.toSorted((a, b) => a - b).map((ratio) => ratio.toFixed(2))
  console.log(
    `delivery rate: ${percentile(ratios, 0.5).toFixed(2)} of plain inserts (at least 0.50; rounds: ${all.join(', ')})`,
  )
  await agent.stop()
  await plain.close()
}

/** How long a purchase takes to its row in the game. */
export async function measureLatency(world: World): Promise<void> {
  const agent = startAgent(world)
  const countRows = async () => Number((await world.game.ask('shop', 'select count(*) as n from ShopPurchase'))[0]?.n)
  await buy(world, 1)
  await waitForDelivery(world)
  const waits: number[] = []
  for (let nth = 0; nth < 300; nth++) {
    await sleep(randomInt(0, 400))
    const before = await countRows()
    await buy(world, 1, 1)
    const bought = performance.now()
    while ((await countRows()) === before) await sleep(4)
    waits.push(performance.now() - bought)
  }
  const [p50, p99] = [0.5, 0.99].map((share) => Math.round(percentile(waits, share)))
  console.log(`purchase to row: p50 ${p50} ms, p99 ${p99} ms (at most 2000)`)
  await agent.stop()
}
