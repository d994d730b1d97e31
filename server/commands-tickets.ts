import { parseArgs } from 'node:util'
import { SUPPORT_NAME_MAX, TICKET_MESSAGE_MAX } from '#contract/limits.ts'
import { toManilaLocal } from '#contract/manila.ts'
import { TICKET_STATES, type TicketState } from '#contract/tickets.ts'
import { type CommandAnswer, createFailure, recordCommand, runChange } from './command-answer.ts'
import { answerAsSupport, closeAsSupport, type SupportContext } from './features/tickets/answer.ts'
import {
  selectConversation,
  selectTicketByNumber,
  selectTicketsByState,
  type TicketRow,
} from './features/tickets/queries.ts'

export const TICKETS_USAGE =
  'tickets list [--state open]; tickets show NUMBER; tickets answer NUMBER "TEXT" [--as NAME] [--close]; tickets close NUMBER'

const LISTED_TICKETS_MAX = 100

const formatScreenshots = (count: number) => (count === 1 ? '1 screenshot' : `${count} screenshots`)

/** Formats a time in Manila's time zone. */
const formatMinute = (moment: Date) => toManilaLocal(moment).replace('T', ' ')

/** Runs an operator's command for tickets; `TICKETS_USAGE` lists the commands. */
export async function runTicketCommand(supportContext: SupportContext, args: string[]): Promise<CommandAnswer> {
  const options = parseArguments(args)
  if (options === undefined) return createFailure(`Usage: ${TICKETS_USAGE}`)
  const { verb, number, body, state, author, close } = options
  if (verb === 'list') return listTickets(supportContext, state)
  const ticket = await selectTicketByNumber(supportContext.db, number)
  if (ticket === undefined) return createFailure(`There is no ticket ${number}.`)
  if (verb === 'show') return showTicket(supportContext, ticket)
  return runChange(supportContext.db, async (tx) => {
    const contextInTransaction = { ...supportContext, db: tx }
    const changedTicket = await (verb === 'answer'
      ? answerAsSupport(contextInTransaction, { number, body, author, close, authorNum: null })
      : closeAsSupport(contextInTransaction, { number }))
    await recordCommand(tx, supportContext.now, `tickets ${verb}`, {
      target: ['ticket', changedTicket.number],
      ...(changedTicket.user_num !== null && { player: changedTicket.user_num }),
      after: { state: changedTicket.state },
    })
    return { ok: true, lines: [`${changedTicket.number} is ${changedTicket.state}.`] }
  })
}

function parseArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: args,
      allowPositionals: true,
      options: {
        state: { type: 'string', default: 'open' },
        as: { type: 'string', default: 'Support' },
        close: { type: 'boolean', default: false },
      },
    })
    const [verb = '', number = '', text = '', ...moreArguments] = positionals
    const options = {
      verb,
      number: number.toUpperCase(),
      body: text.trim(),
      state: TICKET_STATES.find((ticketState) => ticketState === values.state),
      author: values.as.trim(),
      close: values.close,
    }
    const argumentCount = { list: 1, show: 2, answer: 3, close: 2 }[verb]
    const hasText = verb !== 'answer' || (options.body !== '' && options.body.length <= TICKET_MESSAGE_MAX)
    const isValid =
      positionals.length === argumentCount &&
      moreArguments.length === 0 &&
      options.state !== undefined &&
      hasText &&
      options.author !== '' &&
      options.author.length <= SUPPORT_NAME_MAX &&
      !options.body.includes('\0')
    return isValid ? { ...options, state: options.state ?? 'open' } : undefined
  } catch {
    return undefined
  }
}

async function listTickets({ db }: SupportContext, state: TicketState): Promise<CommandAnswer> {
  const rows = await selectTicketsByState(db, state, LISTED_TICKETS_MAX)
  if (rows.length === 0) return { ok: true, lines: [`No tickets are ${state}.`] }
  return {
    ok: true,
    lines: rows.map((row) =>
      [row.number, formatMinute(row.updated_at), row.category, row.user_id ?? 'guest', row.subject].join('\t'),
    ),
  }
}

async function showTicket({ db }: SupportContext, row: TicketRow): Promise<CommandAnswer> {
  const ticketFacts = [row.number, row.state, row.category, row.user_id ?? 'guest', row.mail_to, row.cha_name ?? '']
  const conversation = await selectConversation(db, row.ticket)
  return {
    ok: true,
    lines: [
      ticketFacts.filter((part) => part !== '').join('\t'),
      row.subject,
      ...conversation.flatMap(({ created_at, author, body, pictures }) => [
        '',
        `${formatMinute(created_at)}  ${author ?? 'Requester'}${pictures.length > 0 ? `  (${formatScreenshots(pictures.length)})` : ''}`,
        ...body.split('\n'),
      ]),
    ],
  }
}
