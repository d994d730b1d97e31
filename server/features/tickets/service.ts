/** What commands and the desk use of tickets. */
export { answerAsSupport, closeAsSupport, type Desk } from './answer.ts'
export { selectConversation, selectTicketByNumber, selectTicketsByState } from './queries.ts'
