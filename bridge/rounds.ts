import type { OnStep } from './deliver.ts'
import { GameUnavailable } from './game/driver.ts'
import { CopyChanged } from './game/marker.ts'
import type { CallSite } from './site.ts'

/** The dependencies of the loops over accounts and services, apart from the game's database. */
export type LoopDeps = {
  callSite: CallSite
  print: (line: string) => void
  /** Shows a problem on the desk; an empty text clears it. */
  reportProblem: (problem: string) => Promise<void>
  signal: AbortSignal
  onStep?: OnStep
  /** How long the site waits for work before it answers that there is none. */
  waitMs: number
  /** Repeats a call until the site answers. */
  retryUntilAnswered: <Result>(call: () => Promise<Result>) => Promise<Result>
  pause: (ms: number) => Promise<unknown>
}

/**
 * Creates a function that opens a database of the game and repeats a round of work with it, until the signal aborts or the
 * database was replaced. If the database can't be used, the function prints the problem and shows it on the desk, both once;
 * the next call retries.
 *
 * @param subject the subject of the sentence about the problem, such as 'Accounts'
 * @param createRound creates the function for one round with the opened database
 * @throws GameUnavailable, and the errors of a round except CopyChanged
 */
export function createRounds<Opened extends { close(): Promise<void> }>(
  subject: string,
  openDatabase: () => Promise<Opened>,
  createRound: (opened: Opened) => () => Promise<void>,
  { print, reportProblem, signal, pause }: LoopDeps,
): () => Promise<void> {
  let lastProblem = ''
  return async () => {
    const opened = await openDatabase().catch((error: Error) => error)
    if (opened instanceof Error) {
      if (opened instanceof GameUnavailable) throw opened
      const problem = `${subject} do not reach the game: ${opened.message}`
      if (problem !== lastProblem) {
        print(problem)
        await reportProblem(problem)
      }
      lastProblem = problem
      await pause(60_000)
      return
    }
    try {
      if (lastProblem !== '') await reportProblem('')
      lastProblem = ''
      const doRound = createRound(opened)
      while (!signal.aborted) await doRound()
    } catch (error) {
      if (!(error instanceof CopyChanged)) throw error
      print(error.message)
      await pause(1000)
    } finally {
      await opened.close().catch(() => {})
    }
  }
}
