/** What other features use of accounts. */
export { createLine } from './line.ts'
export { type Caller, recordEvent, sweepSessions } from './queries.ts'
