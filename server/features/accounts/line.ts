type Options = {
  atOnce: number
  waitingMax: number
  /** Makes the error for whoever finds the line full. */
  full: () => Error
}

/**
 * A waiting line: runs at most `atOnce` pieces of work at the same moment, lets `waitingMax`
 * wait, first come first served, and turns the rest away.
 */
export function createLine({ atOnce, waitingMax, full }: Options) {
  let running = 0
  const waiting: (() => void)[] = []
  return async function inLine<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < atOnce) running++
    else if (waiting.length < waitingMax) await new Promise<void>((go) => waiting.push(go))
    else throw full()
    try {
      return await work()
    } finally {
      // Whoever waits takes the place over, so that `running` never drops in between.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
