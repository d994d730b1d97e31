import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { makeTemporaryFolder } from './clean-up.ts'
import { ROOT } from './start-site.ts'

const WAITS = { tries: 600, everyMs: 100 }

test('npm run demo:game starts a site and a game; what juan buys is claimed, and it ends with 0', async (t) => {
  const env = { HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: '', DATABASE_URL: '', DEMO: '1', LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, ['scripts/demo-game.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...env, DATA_DIR: makeTemporaryFolder() },
  })
  const ended = once(child, 'close')
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const waitFor = async <Found>(look: () => Promise<Found | undefined> | Found | undefined): Promise<Found> => {
    for (let tries = 0; tries < WAITS.tries && child.exitCode === null; tries++) {
      const found = await look()
      if (found !== undefined) return found
      await pause(WAITS.everyMs)
    }
    throw new Error(`It did not happen:\n${output}`)
  }
  const site = await waitFor(() => /plays with a game now: (\S+)/.exec(output)?.[1])
  const ask = async (path: string, body?: object, token?: string) => {
    const answer = await fetch(`${site}/api${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    })
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
    return answer.json()
  }
  const { token } = (await ask('/processlogin', { UserID: 'juan', UserPass: 'juan-demo-1' })).data
  const { itemshopdata: items } = await ask('/itemshop?category=0&page=1')
  const { purchasehistory: before } = await ask('/shoppurchases', undefined, token)
  await ask(`/buyitem?productnum=${items[0].ProductNum}`, {}, token)
  await waitFor(async () => {
    const { purchasehistory } = await ask('/shoppurchases', undefined, token)
    assert.equal(purchasehistory.length, Math.min(10, before.length + 1))
    return purchasehistory[0].deliveries[0].state === 'claimed' || undefined
  })
  assert.match(output, /lies in the item bank of juan: delivered\.[\s\S]*juan takes “.+”: claimed\./)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null], output)
})
