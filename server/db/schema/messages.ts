import type { Generated } from 'kysely'
import type { LetterKind } from '#contract/mailbox.ts'
import type { PushKind } from '#contract/push.ts'
import type { TicketCategory, TicketState } from '#contract/tickets.ts'
import type { Holdings } from './holdings.ts'

/** Tickets, mails and the mail box. */
export interface MessagesTables {
  mail_outbox: MailOutbox
  mail_servers: MailServers
  tickets: Tickets
  ticket_keys: { key_hash: string; ticket: number; email: string | null; created_at: Date }
  ticket_messages: TicketMessages
  ticket_screenshots: TicketScreenshots
  ticket_notes: { note: Generated<number>; ticket: number; body: string; written_by: number; written_at: Date }
  ready_answers: { answer: Generated<number>; title: string; body: string; version: Generated<number> }
  letters: Letters
  letter_states: { user_num: number; letter: number; read_at: Date | null; deleted_at: Date | null }
  mailboxes: { user_num: number; read_through: number }
  letter_gifts: LetterGifts
  gift_claims: {
    letter: number
    user_num: number
    value: number
    claimed_at: Date
    ledger_entry: number | null
    ordinal: number | null
  }
  push_keys: { only_row: Generated<boolean>; public_key: string; sealed: string; made_at: Date }
  push_subscriptions: {
    subscription: Generated<number>
    user_num: number
    session_id: number | null
    endpoint: string
    p256dh: string
    auth: string
    kinds: PushKind[]
    made_at: Date
  }
  push_outbox: {
    push: Generated<number>
    subscription: number
    kind: PushKind
    sender: string
    attempts: Generated<number>
    created_at: Date
    next_attempt_at: Generated<Date>
  }
  mail_copies: { user_num: number; kind: LetterKind; wanted: boolean; token: string }
}

type MailOutbox = {
  mail: Generated<number>
  to_address: string
  subject: string
  body_text: string
  body_html: string
  priority: Generated<number>
  link_hash: string | null
  link_good_ms: number | null
  unsubscribe_url: string | null
  created_at: Date
  attempts: Generated<number>
  next_attempt_at: Date
  sent_at: Date | null
  given_up_at: Date | null
  last_error: string | null
  away_at: Date | null
  server: number | null
  kept_as_file: Generated<boolean>
}

export type MailServers = {
  server: Generated<number>
  host: string
  port: number
  login: string
  sealed: string | null
  sender: string
  tried_at: Date
  tried_by: number | null
  said: string
  used_at: Date | null
  ended_at: Date | null
}

type Tickets = {
  ticket: Generated<number>
  number: string
  user_num: number | null
  email: string | null
  cha_num: number | null
  cha_name: string | null
  category: TicketCategory
  subject: string
  state: Generated<TicketState>
  message_count: Generated<number>
  address: Generated<string>
  created_at: Date
  updated_at: Date
  closed_at: Date | null
  assignee: number | null
  /** 0 low, 1 normal, 2 high, 3 urgent. */
  priority: Generated<number>
  first_answered_at: Date | null
  merged_into: number | null
  version: Generated<number>
}

type TicketMessages = {
  message: Generated<number>
  ticket: number
  writer: 'requester' | 'support'
  author: string | null
  author_num: number | null
  body: string
  created_at: Date
}

type TicketScreenshots = {
  screenshot: string
  message: number
  position: number
  width: number
  height: number
  content: Uint8Array
}

type Letters = {
  letter: Generated<number>
  kind: LetterKind
  to_num: number | null
  level_from: number | null
  level_to: number | null
  school: number | null
  bought: number | null
  subject: string
  body: string
  link: Generated<string>
  sent_by: number | null
  sent_at: Date
  expires_at: Date
  copied_at: Date | null
  copied_through: Generated<number>
}

type LetterGifts = {
  letter: number
  recipient: number | null
  to_character: number | null
  currency: 'r_coin' | 'milleage' | null
  amount: number | null
  product_num: number | null
  quantity: number | null
  value: number
  budget: number
  claimed: Generated<number>
  state: Generated<'open' | 'claimed' | 'refused' | 'unclaimed' | 'blocked' | 'withdrawn'>
  given_by: number | null
  reference: string | null
  buyer: number | null
  bought_ordinal: number | null
  refund_entry: number | null
  sent_at: Date
  ended_at: Date | null
}

export const messagesHoldings: Holdings<MessagesTables> = {
  // An erasure deletes the mails to the account's addresses.
  mail_outbox: {
    erasedSeparately: ['to_address', 'unsubscribe_url'],
    staffTexts: ['subject', 'body_text', 'body_html'],
    notPersonal: ['link_hash', 'last_error'],
    copy: 'mails',
    policy: 'Emails',
  },
  mail_servers: { notPersonal: ['host', 'login', 'sealed', 'sender', 'said'] },
  tickets: {
    player: 'user_num',
    erase: 'delete',
    // Includes tickets of guests with the account's address.
    erasedSeparately: ['email'],
    notPersonal: ['assignee'],
    copy: 'tickets',
    policy: 'Tickets',
  },
  // Deleted with the ticket.
  ticket_keys: { notPersonal: ['key_hash', 'email'], policy: 'Links in emails' },
  ticket_messages: {
    player: 'author_num',
    erase: { author: 'Support' },
    notPersonal: ['writer', 'body'],
    copy: 'tickets',
    policy: 'Tickets',
  },
  ticket_screenshots: { notPersonal: ['content'], copy: 'tickets', policy: 'Tickets' },
  ticket_notes: { staffTexts: ['body'], policy: 'Blocks' },
  ready_answers: { notPersonal: ['title', 'body'] },
  letters: {
    player: 'to_num',
    erase: 'delete',
    // Letters to other players that name the account.
    erasedSeparately: ['subject', 'body'],
    notPersonal: ['kind', 'link'],
    copy: 'letters',
    policy: 'Letters',
  },
  letter_states: { player: 'user_num', erase: 'delete', copy: 'letters', policy: 'Letters' },
  mailboxes: {
    player: 'user_num',
    erase: 'delete',
    notCopied: 'another part of the copy has the data',
    policy: 'Letters',
  },
  letter_gifts: {
    player: ['buyer', 'recipient'],
    notPersonal: ['currency', 'state', 'reference'],
    copy: 'gifts_sent',
    policy: 'Letters',
  },
  gift_claims: { player: 'user_num', copy: 'gifts_received', policy: 'Letters' },
  push_keys: { notPersonal: ['public_key', 'sealed'] },
  push_subscriptions: {
    player: 'user_num',
    erase: 'delete',
    copy: 'push_devices',
    policy: 'Devices that notify you',
  },
  // Deleted with the subscription.
  push_outbox: { notPersonal: ['kind', 'sender'] },
  mail_copies: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'letter_copies', columns: ['kind', 'wanted'], order: 'kind' },
    policy: 'Letters',
  },
}
