import type { Generated } from 'kysely'

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
  /** The begin and end of the account's block, if any: `isBlocked` compares them with the clock. */
  blocked_at: Date | null
  blocked_until: Date | null
  /** The time in which the account cannot spend, because staff helped a player back into it: `isFrozen`. */
  frozen_since: Date | null
  frozen_until: Date | null
  erased_at: Date | null
  /** When the account will be erased, unless that is taken back; until then it is locked and hidden. */
  erasure_due_at: Date | null
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
