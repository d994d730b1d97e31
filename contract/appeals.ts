import { z } from 'zod'
import * as f from 'zod/mini'
import { choiceFilter, declareDeskCalls, textFilter } from './desk.ts'
import { DAY_MS } from './durations.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { linesField, reasonField } from './fields.ts'
import { APPEAL_ANSWER_PERIOD_MS, APPEAL_TEXT_MAX } from './limits.ts'
import { LOGIN_ANSWERS } from './messages.ts'
import { moment } from './scalars.ts'
import { loginForm } from './session.ts'

const accounts = declareCalls('accounts', 'public')

const ANSWER_PERIOD = `within ${APPEAL_ANSWER_PERIOD_MS / DAY_MS} days`

/** The texts of appeals against blocks. */
export const APPEAL_TEXTS = {
  line: 'If you think that this is a mistake, tell us why. You can appeal once against this block.',
  field: 'Why should we lift the block?',
  required: 'Please tell us why.',
  send: 'Send my appeal',
  /** @param isDecidedByAnother whether an operator who did not block the player can decide */
  sent: (isDecidedByAnother: boolean) =>
    isDecidedByAnother
      ? `Your appeal was sent. The answer comes by email ${ANSWER_PERIOD}, from someone who did not block you.`
      : `Your appeal was sent. The answer comes by email ${ANSWER_PERIOD}. At the moment only one person can decide, and that person may have blocked you.`,
  waiting: `You have already appealed against this block. The answer comes by email, ${ANSWER_PERIOD} of your appeal.`,
  decided: (answer: string) => `Your appeal was decided, and the block stays. ${answer}`.trimEnd(),
  decisionNotFound:
    'No one on the team decided on this block, so you cannot appeal against it. Please write to support.',
} as const

export const appealForm = f.extend(loginForm, {
  text: linesField(APPEAL_TEXT_MAX, APPEAL_TEXTS.required, { characters: 'Control characters are not allowed.' }),
})

export const appealBlock = accounts.post('/appeal', {
  summary: 'Appeal against a block, once for each block. A login to a blocked account returns status 3',
  limit: 'login',
  fields: appealForm,
  output: messageSchema,
  errors: {
    wrong: { status: 422, message: LOGIN_ANSWERS.wrong, field: 'UserPass' },
    locked: { status: 429, message: LOGIN_ANSWERS.locked },
    decisionNotFound: { status: 409, message: APPEAL_TEXTS.decisionNotFound },
    already: { status: 409, message: APPEAL_TEXTS.waiting },
  },
})

const desk = declareDeskCalls('appeals', { read: 'players.block' })

const APPEAL_STATES = ['waiting', 'lifted', 'stays', 'over'] as const

export const getAppeals = desk.list('/admin/appeals', {
  summary: 'Appeals of players against their blocks, the oldest first',
  sorts: ['appeal', '-appeal'],
  filters: { state: choiceFilter(APPEAL_STATES), q: textFilter.meta({ description: 'A user ID' }) },
  row: z.object({
    appeal: z.number(),
    user_num: z.number(),
    user_id: z.string(),
    text: z.string(),
    made_at: moment,
    due_at: moment,
    state: z.enum(APPEAL_STATES).meta({ description: 'over: the block ended before a decision' }),
    reason: z.string().meta({ description: 'The reason of the block' }),
    note: z.string(),
    blocked_at: moment,
    ends_at: moment.nullable(),
    blocked_by: z.string().nullable().meta({ description: 'Null if no operator blocked the account' }),
    why_not: z.string().nullable().meta({ description: 'Why the caller cannot decide this appeal; null if they can' }),
    answer: z.string(),
    decided_by: z.string().nullable(),
    decided_at: moment.nullable(),
  }),
})

export const decideAppealForm = f.object({
  appeal: f.int('Load the page again.'),
  outcome: f.enum(['lifted', 'stays'], 'Choose one.'),
  reason: reasonField,
})

export const decideAppeal = desk.write('/admin/appeals/decide', {
  title: 'Decide appeal',
  summary: 'Decide an appeal: lift the block or let it stay; the player gets an email',
  approvable: true,
  fields: decideAppealForm,
  errors: {
    appealNotFound: { status: 404, message: 'There is no such appeal.' },
    decided: { status: 409, message: 'This appeal was decided, or its block has ended.' },
    ownBlock: {
      status: 403,
      message: 'You blocked this player, so someone else has to decide. You can still lift the block on their page.',
    },
  },
})
