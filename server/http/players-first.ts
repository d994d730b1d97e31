import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { rawHeader } from './raw-headers.ts'

/** How many requests without a token begin in one turn of the event loop. */
const GUESTS_A_TURN = 4
/** The same while players' requests are running. */
const GUESTS_BESIDE_PLAYERS = 2
/** How long the next ones wait then, in ms: time for the database and the other processes. */
const PAUSE_MS = 2

/**
 * Lets requests with a token begin at once and requests of guests a few at a time, so that a player's purchase never
 * waits for hundreds of pages, kept answers and refusals that came just before it. Guests wait only when many come in the
 * same moment. A token that is not good is refused after one look into the database and counted by address.
 */
export function playersFirst(listener: RequestListener): RequestListener {
  let waiting: [IncomingMessage, ServerResponse][] = []
  let begun = 0
  let players = 0
  let isPlanned = false

  const room = () => (players > 0 ? GUESTS_BESIDE_PLAYERS : GUESTS_A_TURN)

  function planTurn(): void {
    if (isPlanned) return
    isPlanned = true
    if (players > 0 && waiting.length > 0) setTimeout(beginTurn, PAUSE_MS)
    else setImmediate(beginTurn)
  }

  function beginTurn(): void {
    isPlanned = false
    begun = 0
    const now = waiting.slice(0, room())
    waiting = waiting.slice(now.length)
    for (const [req, res] of now) begin(req, res)
  }

  function begin(req: IncomingMessage, res: ServerResponse): void {
    begun++
    planTurn()
    if (!res.destroyed) listener(req, res)
  }

  return (req, res) => {
    if (rawHeader(req, 'authorization') !== undefined) {
      players++
      res.once('close', () => players--)
      listener(req, res)
    } else if (begun < room()) begin(req, res)
    else {
      waiting.push([req, res])
      planTurn()
    }
  }
}
