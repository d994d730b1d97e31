import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

type WaitOptions = {
  withinMs?: number
  everyMs?: number
  /** Returns the text that a failure adds below the condition. */
  explain?: () => string
}

/** Repeats `find` until it returns something other than false or undefined. @returns its value */
export async function waitUntil<Value>(
  condition: string,
  find: () => Value | Promise<Value>,
  { withinMs = 120_000, everyMs = 25, explain = () => '' }: WaitOptions = {},
): Promise<Exclude<Value, false | undefined>> {
  const end = performance.now() + withinMs
  for (;;) {
    const value = await find()
    if (value !== false && value !== undefined) return value as Exclude<Value, false | undefined>
    assert.ok(performance.now() < end, `waited too long until ${condition}\n${explain()}`)
    await sleep(everyMs)
  }
}
