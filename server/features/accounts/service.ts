/** What other features use of accounts. */
export { type Caller, recordEvent, sweepSessions } from './queries.ts'
