import type { Generated } from 'kysely'
import type { Holdings } from './holdings.ts'

/** Accounts, logins and other data of one account. */
export interface AccountsTables {
  accounts: Accounts
  sessions: Sessions
  replaced_tokens: { token_hash: string; session_id: number; ends_at: Date }
  mailed_links: MailedLinks
  account_factors: AccountFactors
  recovery_codes: {
    recovery_code: Generated<number>
    user_num: number
    code_hash: string
    created_at: Date
    used_at: Date | null
  }
  login_challenges: {
    challenge_hash: string
    user_num: number
    password_mark: string
    passkey_challenge: string | null
    ends_at: Date
  }
  factor_ceremonies: {
    ceremony: Generated<number>
    session_id: number
    kind: 'confirm' | 'passkey' | 'totp'
    secret: string
    ends_at: Date
  }
  attempts: { key: string; count: number; ends_at: Date }
  known_places: { user_num: number; place: string; seen_at: Date }
  whitelisted_addresses: { user_num: number; address: string; created_at: Date }
  account_events: AccountEvents
  account_blocks: AccountBlocks
  block_appeals: BlockAppeals
  account_notes: { note: Generated<number>; user_num: number; body: string; written_by: number; written_at: Date }
  erasure_key: { only_row: Generated<boolean>; key: string }
  erasures: {
    user_id_hash: string
    account_hash: string
    user_num: number
    rename_characters: boolean
    erased_at: Date
  }
  account_erasures: AccountErasures
  former_emails: { user_num: number; email: string; left_at: Date }
  discord_states: { state_hash: string; user_num: number; session_id: number; sealed: string; ends_at: Date }
  discord_links: {
    user_num: number
    discord_id: string
    discord_name: string
    seal: string
    sealed: string
    tokens_until: Date
    linked_at: Date
    due_at: Generated<Date>
    sent_at: Date | null
  }
  discord_unlinks: {
    unlink: Generated<number>
    discord_id: string
    seal: string
    sealed: string
    client_id: string | null
    app_sealed: string | null
    due_at: Generated<Date>
    ended_at: Generated<Date>
  }
}

type Accounts = {
  user_num: Generated<number>
  user_id: string
  user_email: string
  first_name: string
  last_name: string
  staff_name: Generated<string>
  phone_number: Generated<string>
  user_type: Generated<number>
  password_hash: string
  second_password_hash: string | null
  secret_question: number
  secret_answer_hash: string
  gender: Generated<'Male' | 'Female'>
  country: Generated<string>
  r_coin: Generated<number>
  milleage: Generated<number>
  purchase_count: Generated<number>
  topup_count: Generated<number>
  wants_receipts: Generated<boolean>
  accepts_gifts: Generated<boolean>
  gifts_received: Generated<number>
  has_factor: Generated<boolean>
  email_verified_at: Date | null
  /** The start and end of the account's block, if any; `isBlocked` compares them with the clock. */
  blocked_at: Date | null
  blocked_until: Date | null
  /** The time in which the account cannot spend, because staff helped its player to log in again; see `isFrozen`. */
  frozen_since: Date | null
  frozen_until: Date | null
  erased_at: Date | null
  /** When the account will be erased, unless the erasure is cancelled; until then it is locked and hidden. */
  erasure_due_at: Date | null
  /** Whether the player's characters are left out of activity, titles and drawn pictures. */
  left_out: Generated<boolean>
  /** The step that an imported player must complete first. */
  claim_step: 'details' | 'email' | null
  created_at: Generated<Date>
}

type AccountBlocks = {
  block: Generated<number>
  user_num: number
  reason: string
  note: Generated<string>
  starts_at: Date
  ends_at: Date | null
  blocked_by: number | null
  lifted_at: Date | null
  lifted_by: number | null
  in_game: Generated<boolean>
}

type AccountErasures = {
  erasure: Generated<number>
  user_num: number
  account_hash: string
  rename_characters: boolean
  requested_by: number | null
  requested_at: Date
  due_at: Date
  outcome: 'erased' | 'taken back' | null
  ended_by: number | null
  ended_at: Date | null
}

type BlockAppeals = {
  appeal: Generated<number>
  block: number
  user_num: number
  text: string
  made_at: Date
  outcome: 'lifted' | 'stays' | null
  reply: Generated<string>
  decided_by: number | null
  decided_at: Date | null
}

type Sessions = {
  session_id: Generated<number>
  token_hash: string
  user_num: number
  address: string
  device: string
  created_at: Date
  last_seen_at: Date
  ends_at: Date
  secret_answer_until: Date | null
  confirmed_at: Date | null
  factor: 'totp' | 'passkey' | 'recovery' | null
}

type AccountFactors = {
  factor: Generated<number>
  user_num: number
  kind: 'totp' | 'passkey'
  name: string
  created_at: Date
  last_used_at: Date | null
  totp_secret: string | null
  totp_counter: number | null
  credential_id: string | null
  public_key: string | null
  sign_count: number | null
  transports: Generated<string[]>
}

type MailedLinks = {
  mailed_link: Generated<number>
  token_hash: string
  kind: 'reset-password' | 'verify-email' | 'undo-email' | 'keep-account'
  user_num: number
  email: string
  created_at: Date
  ends_at: Date
  used_at: Date | null
}

type AccountEvents = {
  event: Generated<number>
  user_num: number
  kind: string
  address: Generated<string>
  device: Generated<string>
  note: Generated<string>
  created_at: Date
}

export const accountsHoldings: Holdings<AccountsTables> = {
  accounts: {
    player: 'user_num',
    erase: {
      first_name: 'Erased',
      last_name: '',
      staff_name: '',
      phone_number: '',
      user_type: 1,
      password_hash: '!',
      second_password_hash: null,
      secret_question: 1,
      secret_answer_hash: '!',
      gender: 'Male',
      country: '',
      wants_receipts: false,
      left_out: false,
      frozen_since: null,
      frozen_until: null,
      email_verified_at: null,
    },
    erasedSeparately: ['user_id', 'user_email', 'erased_at'],
    notPersonal: ['claim_step'],
    copy: { part: 'account', without: ['password_hash', 'second_password_hash', 'secret_answer_hash'] },
    policy: 'Account',
  },
  sessions: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'logins', without: ['token_hash', 'session_id'], order: 'session_id' },
    policy: 'Logins',
  },
  replaced_tokens: { notPersonal: ['token_hash'] },
  mailed_links: {
    player: 'user_num',
    erase: 'delete',
    copy: {
      part: 'mailed_links',
      columns: { for: 'kind', email: 'email', created_at: 'created_at' },
      order: 'mailed_link',
    },
    policy: 'Links in emails',
  },
  account_factors: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'second_factors', columns: ['kind', 'name', 'created_at', 'last_used_at'], order: 'factor' },
    policy: 'Second factors',
  },
  recovery_codes: {
    player: 'user_num',
    erase: 'delete',
    notCopied: 'would help to log in',
    policy: 'Second factors',
  },
  login_challenges: { player: 'user_num', erase: 'delete', notCopied: 'would help to log in', policy: 'Logins' },
  // Deleted with the session.
  factor_ceremonies: { notPersonal: ['kind', 'secret'] },
  attempts: { erasedSeparately: ['key'], policy: 'Counters of failed attempts' },
  known_places: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'places', order: 'seen_at' },
    policy: 'Where you log in',
  },
  whitelisted_addresses: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'whitelist', order: 'created_at' },
    policy: 'Whitelisted addresses',
  },
  account_events: {
    player: 'user_num',
    erase: 'delete',
    staffTexts: ['note'],
    copy: { part: 'history', without: ['event'], order: 'event' },
    policy: 'History of the account',
  },
  account_blocks: {
    player: 'user_num',
    erase: { reason: 'Erased', note: '' },
    staffTexts: ['reason', 'note'],
    copy: { part: 'blocks', columns: ['reason', 'starts_at', 'ends_at', 'lifted_at'], order: 'block' },
    policy: 'Blocks',
  },
  block_appeals: {
    player: 'user_num',
    erase: 'delete',
    staffTexts: ['reply'],
    copy: {
      part: 'appeals',
      columns: { text: 'text', made_at: 'made_at', outcome: 'outcome', answer: 'reply', decided_at: 'decided_at' },
      order: 'appeal',
    },
    policy: 'Appeals',
  },
  account_notes: {
    player: 'user_num',
    erase: 'delete',
    staffTexts: ['body'],
    notCopied: 'work of the staff',
    policy: 'Blocks',
  },
  erasure_key: { notPersonal: ['key'] },
  erasures: {
    player: 'user_num',
    notPersonal: ['user_id_hash', 'account_hash'],
    notCopied: 'a hash of an account that no longer exists',
    policy: 'Of an erased account',
  },
  account_erasures: {
    player: 'user_num',
    notPersonal: ['account_hash', 'outcome'],
    notCopied: 'another part of the copy has the data',
    policy: 'Of an erased account',
  },
  former_emails: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'former_emails', columns: ['email', 'left_at'], order: 'left_at' },
    policy: 'Email addresses that your account had',
  },
  discord_states: { player: 'user_num', erase: 'delete', notCopied: 'deleted within minutes', policy: 'Discord' },
  discord_links: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'discord', columns: ['discord_id', 'discord_name', 'linked_at', 'sent_at'] },
    policy: 'Discord',
  },
  // An erasure leaves these rows, because the site needs them to delete the player's data at Discord. They are deleted after
  // at most seven days.
  discord_unlinks: { notPersonal: ['discord_id', 'sealed', 'client_id', 'app_sealed'] },
}
