import { type Agent, get } from 'node:http'
import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'

/** Runs one side of a comparison once and returns its figure, such as requests/s or ms. */
export type MeasuredSide = () => Promise<number> | number

type Comparison = {
  /** The measured subject, such as the site. */
  subject: MeasuredSide
  /** The reference, such as a bare server. */
  reference: MeasuredSide
  /** The number of measured runs of each side. An unmeasured run before them warms up. */
  rounds: number
}

/** The result of a comparison: the median of each side, and the median of the rounds' ratios subject/reference. */
export type ComparisonResult = { subject: number; reference: number; ratio: number }

/**
 * Runs both sides in each round, in alternating order, so other load on the machine affects both. The ratio is the
 * median of the rounds' ratios.
 */
export async function compare({ subject, reference, rounds }: Comparison): Promise<ComparisonResult> {
  await reference()
  await subject()
  const results: ComparisonResult[] = []
  for (let round = 0; round < rounds; round++) {
    const firstFigure = round % 2 === 0 ? await reference() : await subject()
    const secondFigure = round % 2 === 0 ? await subject() : await reference()
    const [a, b] = round % 2 === 0 ? [secondFigure, firstFigure] : [firstFigure, secondFigure]
    results.push({ subject: a, reference: b, ratio: a / b })
  }
  return {
    subject: median(results.map((round) => round.subject)),
    reference: median(results.map((round) => round.reference)),
    ratio: median(results.map((round) => round.ratio)),
  }
}

/** Returns the median; for an even count, the upper of the two middle values. @throws on an empty list */
export function median(values: readonly number[]): number {
  const middleValue = [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
  if (middleValue === undefined) throw new Error('An empty list has no median.')
  return middleValue
}

type Target = { atLeast: number } | { atMost: number }

const numberFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })

const isReached = (value: number, target: Target) =>
  'atLeast' in target ? value >= target.atLeast : value <= target.atMost

const formatTarget = (target: Target) => ('atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`)

/** Prints a line with the measure, both values, the ratio, its target, and whether the target is met. */
export function printRatio(label: string, unit: string, result: ComparisonResult, target: Target): void {
  const [subject, reference] = [result.subject, result.reference].map((value) => numberFormat.format(value))
  const resultLabel = isReached(result.ratio, target) ? 'ok' : 'MISSED'
  console.log(
    `${label}: subject ${subject} ${unit}, reference ${reference} ${unit}, ratio ${result.ratio.toFixed(2)} (${formatTarget(target)}) ${resultLabel}`,
  )
}

/** Prints one line for a single figure. */
export function printFigure(label: string, unit: string, value: number, target: Target): void {
  const resultLabel = isReached(value, target) ? 'ok' : 'MISSED'
  console.log(`${label}: ${numberFormat.format(value)} ${unit} (${formatTarget(target)}) ${resultLabel}`)
}

/** The encodings that browsers accept. */
export const BROWSER_HEADERS = { 'Accept-Encoding': 'gzip, deflate, br, zstd' }

/** Sends one request and reads the response to its end. @returns its status */
export function requestOnce(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: BROWSER_HEADERS }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    }).once('error', reject)
  })
}

/** Opens a session of one day for each account. @returns the tokens */
export async function openSessions(db: Db, accounts: readonly number[]): Promise<string[]> {
  const now = new Date()
  const sessions = accounts.map((user_num) => ({ user_num, token: createToken() }))
  await db
    .insertInto('sessions')
    .values(
      sessions.map(({ user_num, token }) => ({
        user_num,
        token_hash: hashToken(token),
        address: '127.0.0.1',
        device: '',
        created_at: now,
        last_seen_at: now,
        ends_at: new Date(now.getTime() + DAY_MS),
      })),
    )
    .execute()
  return sessions.map(({ token }) => token)
}
