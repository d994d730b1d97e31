/** What other features use of the wallet. */
export {
  answerOnce,
  findKeptAnswer,
  keepAnswer,
  type MoneyAnswer,
  type MoneyRequest,
  sweepKeptAnswers,
} from './kept-answers.ts'
export { findLedgerFault } from './ledger.ts'
