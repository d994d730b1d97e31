import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Finding } from '#contract/bridge.ts'
import type { AccountProblem } from '#contract/bridge-accounts.ts'
import type { FailureCode, Oddity } from '#contract/bridge-messages.ts'
import type { PasswordForm, Purpose } from '#contract/bridge-sealing.ts'
import type { HoldReason, ReportReason } from '#contract/forum-messages.ts'
import type { Board } from '#contract/game.ts'
import type { LetterKind } from '#contract/mailbox-messages.ts'
import type { Captions, StoredFile } from '#contract/media.ts'
import type { Permission } from '#contract/permissions.ts'
import type { PictureSize } from '#contract/pictures.ts'
import type { SeasonRule } from '#contract/seasons.ts'
import type { TicketCategory } from '#contract/ticket-messages.ts'
import type { TicketState } from '#contract/tickets.ts'
import type { Format, Outcome } from '#contract/tournament-words.ts'

/** The tables as Kysely knows them; the truth is in migrations/*.sql. bigint arrives as number: no value here outgrows 2^53. */
export type Schema = {
  accounts: Accounts
  ledger: Ledger
  news: News
  news_drafts: NewsDrafts
  news_revisions: NewsRevisions
  news_previews: { token_hash: string; news: number; ends_at: Date }
  banners: Banners
  downloads: Downloads
  media: Media
  club_areas: ClubAreas
  characters: Characters
  ranking_periods: RankingPeriods
  ranking_archive: RankingArchive
  shop_categories: { id: Generated<number>; category_name: string; position: number; version: Generated<number> }
  shop_items: ShopItems
  item_prices: ItemPrices
  kept_lists: { list: string; total: number; marks: number[] }
  school_counts: { school: number; characters: number }
  voucher_campaigns: VoucherCampaigns
  referral_codes: {
    code: string
    streamer: string
    created_at: Generated<Date>
    redeemed: Generated<number>
    r_coin: Generated<number>
    milleage: Generated<number>
  }
  vouchers: Vouchers
  cart_lines: CartLines
  purchases: Purchases
  deliveries: Deliveries
  bridges: Bridges
  bridge_codes: {
    bridge_code: Generated<number>
    code_hash: string
    made_at: Date
    made_by: number | null
    ends_at: Date
    failures: Generated<number>
    used_at: Date | null
  }
  character_blocks: { block: number; hash: string }
  game_sync: GameSync
  online_counts: { counted_at: Date; players: number }
  bridge_nonces: { bridge: number; nonce: string; used_at: Date }
  bridge_lease: { only_row: Generated<boolean>; bridge: number; instance: string; taken_at: Date; seen_at: Date }
  game_copy: GameCopy
  game_links: { user_num: number; game_user_num: number; proof: 'created' | 'password'; linked_at: Date }
  game_accounts: GameAccounts
  game_forms: {
    user_num: number
    purpose: Purpose
    bridge: number
    form: PasswordForm
    version: number
    sealed: string
    made_at: Date
  }
  game_form_drafts: {
    challenge_hash: string
    bridge: number
    form: PasswordForm
    version: number
    sealed: string
    made_at: Date
  }
  game_import: { only_row: Generated<boolean>; opened_at: Date; opened_by: number; closes_at: Date }
  game_imports: GameImports
  game_balances: GameBalances
  refunds: { delivery: number; amount: number; ledger_entry: number }
  topups: Topups
  idempotency_keys: IdempotencyKeys
  receipts_due: { user_num: number; first_ordinal: number; last_ordinal: number; created_at: Date }
  sessions: Sessions
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
  mail_outbox: MailOutbox
  jobs: Jobs
  daily_figures: DailyFigures
  daily_sales: { day: string; product_num: number; units: number; r_coin: number; milleage: number }
  daily_codes: { day: string; referral_code: string; codes: number }
  best_sellers: { place: number; product_num: number; units: number; r_coin: number; milleage: number }
  recent_errors: { hour: Date; kind: string; count: number; last_at: Date; last_message: string }
  backups: { backup: Generated<number>; made_at: Date; name: string; rows: number; bytes: number }
  alerts: Alerts
  hidden_characters: { cha_num: number; reason: string; hidden_by: number | null; hidden_at: Date }
  ranking_corrections: RankingCorrections
  seasons: Seasons
  season_boards: SeasonBoards
  season_characters: {
    season: number
    cha_num: number
    cha_name: string
    cha_level: number
    cha_class: string
    cha_school: number
  }
  season_standings: { season: number; board: Board; cha_num: number; rank: number; value: number }
  account_blocks: AccountBlocks
  account_notes: { note: Generated<number>; user_num: number; body: string; written_by: number; written_at: Date }
  erasure_key: { only_row: Generated<boolean>; key: string }
  erasures: {
    user_id_hash: string
    account_hash: string
    user_num: number
    rename_characters: boolean
    erased_at: Date
  }
  tickets: Tickets
  ticket_keys: { key_hash: string; ticket: number; email: string | null; created_at: Date }
  ticket_messages: TicketMessages
  ticket_screenshots: TicketScreenshots
  ticket_notes: { note: Generated<number>; ticket: number; body: string; written_by: number; written_at: Date }
  ready_answers: { answer: Generated<number>; title: string; body: string; version: Generated<number> }
  settings: {
    name: string
    value: Json
    version: Generated<number>
    changed_at: Date
  }
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
  capsules: Capsules
  capsule_chances: { capsule: number; version: number; product_num: number; chance: number }
  capsule_draws: CapsuleDraws
  wish_lists: { user_num: number; token: string }
  wishes: { user_num: number; product_num: number; wished_at: Date }
  mail_copies: { user_num: number; kind: LetterKind; wanted: boolean; token: string }
  forum_boards: ForumBoards
  forum_topics: ForumTopics
  forum_posts: ForumPosts
  forum_revisions: {
    revision: Generated<number>
    post: number
    title: string
    body: string
    html: string
    written_by: number
    written_at: Date
  }
  forum_likes: { post: number; user_num: number; liked_at: Date }
  forum_watches: { topic: number; user_num: number; watched_at: Date; told: Generated<boolean> }
  forum_read_marks: { user_num: number; topic: number; number: number }
  forum_board_marks: { user_num: number; category: number; read_at: Date }
  forum_views: { topic: number; day: string; viewer: string }
  forum_polls: {
    topic: number
    question: string
    choices_max: Generated<number>
    closes_at: Date | null
    voters: Generated<number>
  }
  forum_poll_options: { topic: number; option: number; words: string; votes: Generated<number> }
  forum_votes: { topic: number; user_num: number; option: number }
  forum_pictures: {
    url: string
    uploaded_by: number
    small_url: string
    width: number
    height: number
    post: number | null
    uploaded_at: Date
  }
  forum_members: { user_num: number; post_count: Generated<number> }
  forum_silences: {
    silence: Generated<number>
    user_num: number
    reason: string
    starts_at: Date
    ends_at: Date
    silenced_by: number | null
    lifted_at: Date | null
    lifted_by: number | null
    post: number | null
  }
  forum_watched_words: { word: string; action: 'hold' | 'refuse'; added_by: number | null; added_at: Date }
  forum_moderators: { user_num: number; category: number; added_by: number | null; added_at: Date }
  forum_cases: ForumCases
  forum_case_notes: { note: Generated<number>; case_num: number; body: string; written_by: number; written_at: Date }
  forum_reports: {
    post: number
    user_num: number
    case_num: number
    reason: ReportReason
    words: Generated<string>
    reported_at: Date
  }
  forum_title_words: { word: string; groups: GeneratedAlways<string> }
  tournaments: Tournaments
  tournament_offers: TournamentOffers
  tournament_entries: TournamentEntries
  tournament_matches: TournamentMatches
  tournament_prizes: TournamentPrizes
  staff_roles: { role: string; name: string; permissions: Permission[] | null; version: Generated<number> }
  staff_members: { user_num: number; role: string; granted_by: number | null; granted_at: Date }
  audit_log: AuditLog
  audit_personal: AuditPersonal
  approvals: Approvals
  staff_spending: { entry: Generated<number>; actor: number; kind: string; amount: number; at: Date }
  saved_views: { view: Generated<number>; list: string; name: string; query: string; created_by: number }
  setting_changes: {
    change: Generated<number>
    name: string
    before: Json
    after: Json
    actor: number | null
    actor_name: string
    undoes: number | null
    created_at: Date
  }
  files: {
    hash: string
    type: PictureSize['type'] | 'text/vtt'
    width: number | null
    height: number | null
    content: Buffer
    uploaded_at: Date
  }
}

type Accounts = {
  user_num: Generated<number>
  user_id: string
  user_email: string
  first_name: string
  last_name: string
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
  /** Since when the account is blocked, if it is, and until when: `isBlocked` tells whether it is over. */
  blocked_at: Date | null
  blocked_until: Date | null
  erased_at: Date | null
  /** What somebody who was moved in has yet to do before anything else. */
  claim_step: 'details' | 'email' | null
  created_at: Generated<Date>
}

type GameAccounts = {
  user_num: number
  state: 'creating' | 'taken' | 'linked' | 'gone'
  game_user_id: Generated<string>
  password_version: Generated<number>
  second_version: Generated<number>
  confirmed_by: number | null
  confirmed_form: Generated<string>
  block_due_at: Date | null
  handed_by: number | null
  attempt: Generated<number>
  retry_at: Date | null
  problem: Generated<AccountProblem | ''>
  detail: Generated<string>
  changed_at: Date
}

type GameImports = {
  game_user_num: number
  bridge: number
  user_id: string
  form: PasswordForm
  form_hash: string
  game_user_type: number
  blocked: boolean
  blocked_until: Date | null
  imported_at: Date
  user_num: number | null
}

type GameBalances = {
  bridge: number
  game_user_num: number
  amount: number
  state: 'seen' | 'impossible' | 'staff' | 'approved' | 'taken' | 'refused'
  handed_by: number | null
  problem: Generated<string>
  changed_at: Date
  user_num: number | null
  ledger_entry: number | null
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
}

type Ledger = {
  entry: Generated<number>
  user_num: number
  currency: 'r_coin' | 'milleage'
  delta: number
  balance_after: number
  reason: string
  reference: Generated<string>
  created_at: Generated<Date>
  actor: number | null
  reverses: number | null
}

type News = {
  id: Generated<number>
  subject: string
  type: 0 | 1 | 2
  author: string
  content: string
  picture: string | null
  show_picture: Generated<boolean>
  published: Generated<boolean>
  created_at: Date | null
  first_published_at: Date | null
  trashed_at: Date | null
  announced_at: Date | null
  post_due: Generated<boolean>
  search: GeneratedAlways<string>
}

type NewsText = {
  subject: string
  type: 0 | 1 | 2
  author: string
  content: string
  picture: string | null
  show_picture: boolean
  saved_at: Date
  saved_by: number | null
}

type NewsDrafts = NewsText & { news: number; version: Generated<number>; is_open: boolean }

type NewsRevisions = NewsText & { revision: Generated<number>; news: number; kind: 'published' | 'replaced' }

type Banners = {
  id: Generated<number>
  position: number
  picture: string | null
  picture_phone: string | null
  title: string[]
  line: Generated<string>
  tag: Generated<string>
  href: string
  visible: Generated<boolean>
  shown_from: Date | null
  shown_until: Date | null
  version: Generated<number>
}

type Downloads = {
  seq: Generated<number>
  position: number
  link_name: string
  link_address: string
  link_type: string
  link_description: string
  link_date: Date
  link_icon: string
  visible: Generated<boolean>
  version: Generated<number>
}

type Media = {
  id: Generated<number>
  kind: 'gallery' | 'wallpaper' | 'movie'
  position: number
  title: string
  description: Generated<string>
  credit: Generated<string>
  picture: string | null
  created_at: Date
  visible: Generated<boolean>
  alt: Generated<string>
  previews: JsonList<StoredFile>
  files: JsonList<StoredFile>
  captions: JsonList<Captions>
  seconds: number | null
  version: Generated<number>
}

/** Read as a list, written as JSON text, because the drivers would make a list an array of the database. */
type Json = ColumnType<unknown, string | null, string | null>
type JsonList<Item> = ColumnType<Item[], string | undefined, string>

type ClubAreas = {
  id: Generated<number>
  name: string
  club: string | null
  tax_percent: Generated<number>
  picture: string | null
  position: Generated<number>
  visible: Generated<boolean>
  version: Generated<number>
  /** The area's RegionID in the game. */
  game_region: Generated<number | null>
}

type Characters = {
  cha_num: Generated<number>
  /** The account of the site; null where none is linked with the character's account of the game. */
  user_num: number | null
  /** The account of the game; null for characters of the demo world. */
  game_user_num: Generated<number | null>
  /** Why the game keeps it out of rankings and search. */
  kept_out: Generated<'' | 'staff' | 'blocked' | 'deleted' | 'missing'>
  /** Its name was not usable as it came. */
  odd_name: Generated<boolean>
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
  cha_pk_score: Generated<number>
  cha_pk_death: Generated<number>
  cha_mmr: Generated<number>
  cha_resu_score: Generated<number>
  cha_money: Generated<number>
  level_up_at: Date | null
  known_since: Generated<Date>
  base_kills: Generated<number>
  base_deaths: Generated<number>
  base_resu: Generated<number>
  month_kills: GeneratedAlways<number>
  month_deaths: GeneratedAlways<number>
  month_resu: GeneratedAlways<number>
  /** What was counted before a counter of the game fell. */
  past_kills: Generated<number>
  past_deaths: Generated<number>
  past_resu: Generated<number>
  /** What it had when the running season began. */
  start_level: Generated<number | null>
  start_mmr: Generated<number | null>
  start_money: Generated<number | null>
  start_kills: Generated<number | null>
  start_resu: Generated<number | null>
}

type GameSync = {
  only_row: Generated<boolean>
  bridge: number
  began_at: Generated<Date | null>
  values_at: Generated<Date | null>
  running_at: Generated<Date | null>
  active_at: Date
  took_ms: Generated<number>
  sent_bytes: Generated<number>
  changed: Generated<number>
  lacks: Generated<string[]>
  counts: ColumnType<Record<string, number>, string | undefined, string>
  problem: Generated<string>
  online: Generated<number | null>
  online_at: Generated<Date | null>
}

type RankingPeriods = {
  period: string
  starts_at: Date
  ends_at: Date
  opened_at: Date
  closed_at: Date | null
  /** When the values of a closed month were read, where they came from a game. */
  values_at: Generated<Date | null>
}

type RankingArchive = {
  period: string
  board: 'resu' | 'mmr' | 'level' | 'richest' | 'killer'
  rank: number
  cha_num: number
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
  kills: number
  deaths: number
  mmr: number
  resu: number
  money: number
  level_up_at: Date | null
  taken_out_at: Date | null
}

type Seasons = {
  season: Generated<number>
  name: string
  first_month: string
  last_month: string
  divisions: JsonList<{ name: string; share: number }>
  version: Generated<number>
  created_by: number | null
  created_at: Date
  begun_at: Date | null
  end_asked_at: Date | null
  ended_at: Date | null
  final_asked_at: Date | null
  finalised_at: Date | null
}

type SeasonBoards = {
  season: number
  board: Board
  rule: SeasonRule
  ranked: Generated<number>
  /** The least value of each division, the best one first; empty while nobody is ranked. */
  floors: Generated<number[]>
  counted_at: Date | null
}

type RankingCorrections = {
  correction: Generated<number>
  period: string
  cha_num: number
  kind: 'corrected' | 'taken out' | 'put back'
  before: ColumnType<Record<string, unknown>, string, never>
  after: ColumnType<Record<string, unknown>, string, never>
  reason: string
  corrected_by: number | null
  corrected_at: Date
}

/** One row a day in Manila. */
type DailyFigures = {
  day: string
  registrations: number
  logins: number
  active_players: number
  r_coin_issued: number
  r_coin_spent: number
  r_coin_refunded: number
  r_coin_outstanding: number
  milleage_issued: number
  milleage_spent: number
  milleage_refunded: number
  milleage_outstanding: number
  counted_at: Date
}

type Alerts = {
  alert: Generated<number>
  problem: string
  detail: string
  since: Date
  told_at: Date | null
  over_at: Date | null
  begin_due: Generated<boolean>
  end_due: Generated<boolean>
}

type ShopItems = {
  product_num: Generated<number>
  category_id: number
  item_name: string
  price: number
  section: number
  description: Generated<string>
  icon: string | null
  image_url: string | null
  ribbon: string | null
  ribbon_picture: string | null
  position: number
  visible: Generated<boolean>
  hidden: Generated<boolean>
  sold_from: Date | null
  sold_until: Date | null
  account_limit: number | null
  sale_price: number | null
  sale_starts_at: Date | null
  sale_ends_at: Date | null
  on_sale: Generated<boolean>
  game_product_num: number | null
  shelf_price: GeneratedAlways<number>
  version: Generated<number>
  search: GeneratedAlways<string>
  name_pieces: GeneratedAlways<string>
}

type ItemPrices = {
  item_price: Generated<number>
  product_num: number
  price: number
  sale_price: number | null
  sale_starts_at: Date | null
  sale_ends_at: Date | null
  changed_at: Generated<Date | null>
}

type VoucherCampaigns = {
  id: Generated<number>
  name: string
  created_at: Generated<Date>
  r_coin: Generated<number>
  milleage: Generated<number>
  codes: Generated<number>
  redeemed: Generated<number>
  revoked: Generated<number>
  expires_at: Date | null
  per_account: number | null
  in_total: number | null
  streamer: string | null
  made_by: number | null
  version: Generated<number>
}

type Vouchers = {
  code_hash: string
  campaign: number
  redeemed_by: number | null
  redeemed_at: Date | null
  referral_code: string | null
  revoked_at: Date | null
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
  kind: 'reset-password' | 'verify-email' | 'undo-email'
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
}

type Jobs = {
  name: string
  due_at: Date
  holder: string | null
  leased_until: Date | null
  started_at: Date | null
  succeeded_at: Date | null
  failed_at: Date | null
  failure: string | null
}

type CartLines = {
  seq: Generated<number>
  user_num: number
  product_num: number
  quantity: number
  is_checked: Generated<boolean>
}

type Purchases = {
  user_num: number
  ordinal: number
  product_num: number
  item_name: string
  section: number
  price: number
  quantity: number
  created_at: Date
  gift: number | null
}

type Deliveries = {
  delivery: Generated<number>
  user_num: number
  ordinal: number
  product_num: number
  unit: number
  state: Generated<'queued' | 'delivered' | 'claimed' | 'refunded'>
  queued_at: Date
  delivered_at: Date | null
  claimed_at: Date | null
  refunded_at: Date | null
  handed_at: Date | null
  failed_at: Date | null
  failure: Generated<string>
  refund_requested_at: Date | null
  deliver_to: number | null
  handed_by: number | null
  attempt: Generated<number>
  retry_at: Date | null
  failure_code: Generated<FailureCode | ''>
  pur_key: string | null
  cancel_handed_at: Date | null
  refund_refused: Generated<string>
  in_game: Generated<Oddity | ''>
}

type Bridges = {
  bridge: Generated<number>
  name: string
  sign_key: string
  seal_key: string
  paired_at: Date
  paired_by: number | null
  revoked_at: Date | null
  revoked_by: number | null
  seen_at: Date | null
  version: Generated<string>
  system: Generated<string>
  preset: Generated<string>
  password_form: Generated<string>
  clock_off_ms: Generated<number>
  problem: Generated<string>
  epoch: string | null
  findings: JsonList<Finding>
  checked_at: Date | null
  check_asked_at: Date | null
}

type GameCopy = {
  only_row: Generated<boolean>
  epoch: string
  counter: number
  restored_at: Date | null
  found_epoch: string | null
  found_counter: number | null
  looked_through: number | null
  looked_at: Date | null
  next_epoch: string | null
  confirmed_at: Date | null
  confirmed_by: number | null
}

type Topups = {
  user_num: number
  ordinal: number
  code: string
  r_coin: number
  milleage: number
  created_at: Date
  is_repeated: Generated<boolean>
  code_hash: GeneratedAlways<string>
}

type IdempotencyKeys = {
  owner: string
  key: string
  content: string
  refused: string | null
  answer: unknown
  created_at: Date
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

/** A field that a change is about. Personal values stand in `audit_personal` alone. */
export type Change = { field: string; before?: unknown; after?: unknown }

type AuditLog = {
  entry: Generated<number>
  at: Date
  actor_kind: 'person' | 'command' | 'job'
  actor_num: number | null
  actor_name: Generated<string>
  permission: Generated<string>
  action: string
  target_kind: string
  target_id: string
  player: number | null
  changes: JsonList<Change>
}

type AuditPersonal = {
  entry: number
  player: number | null
  at: Date
  address: Generated<string>
  reason: Generated<string>
  changes: JsonList<Change>
}

type Approvals = {
  approval: Generated<number>
  call: string
  input: ColumnType<Record<string, unknown>, string, string>
  content_hash: string
  kind: string
  amount: number | null
  summary: string
  only_owner: boolean
  accounts: number[]
  requested_by: number
  requested_at: Date
  expires_at: Date
  state: Generated<'waiting' | 'approved' | 'done' | 'rejected' | 'withdrawn'>
  decided_by: number | null
  decided_at: Date | null
  note: Generated<string>
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

type Capsules = {
  capsule: Generated<number>
  name: string
  description: Generated<string>
  section: number
  price: number
  picture: string | null
  visible: Generated<boolean>
  position: Generated<number>
  version: Generated<number>
}

type CapsuleDraws = {
  draw: Generated<number>
  user_num: number
  ordinal: number
  capsule: number
  version: number
  product_num: number
  round: number
  number: number
  out_of: number
  drawn_at: Date
}

type LetterGifts = {
  letter: number
  recipient: number | null
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

type ForumBoards = {
  category: number
  position: number
  name: string
  description: Generated<string>
  is_gallery: Generated<boolean>
  level_needed: Generated<number>
  read_only: Generated<boolean>
  hold_first: Generated<number>
  hold_links: Generated<boolean>
  hold_words: Generated<boolean>
  topic_count: Generated<number>
  post_count: Generated<number>
  version: Generated<number>
}

type ForumState = 'visible' | 'held' | 'rejected' | 'deleted'

type ForumTopics = {
  topic: Generated<number>
  category: number
  title: string
  author: number
  state: ForumState
  pinned: Generated<boolean>
  locked: Generated<boolean>
  picture: string | null
  last_number: Generated<number>
  post_count: Generated<number>
  created_at: Date
  last_post_at: Date
  last_author: number | null
  views: Generated<number>
  version: Generated<number>
}

type ForumPosts = {
  post: Generated<number>
  topic: number
  number: number | null
  author: number
  state: ForumState
  title: Generated<string>
  body: string
  html: string
  held_for: Generated<HoldReason[]>
  reason: Generated<string>
  created_at: Date
  shown_at: Date | null
  edited_at: Date | null
  edited_by: number | null
  deleted_at: Date | null
  deleted_by: number | null
  like_count: Generated<number>
  version: Generated<number>
  search: GeneratedAlways<string>
}

type ForumCases = {
  case_num: Generated<number>
  post: number
  kind: 'held' | 'report' | 'staff'
  state: Generated<'open' | 'closed'>
  outcome: 'approved' | 'rejected' | 'deleted' | 'dismissed' | null
  report_count: Generated<number>
  assignee: number | null
  opened_at: Date
  closed_at: Date | null
  closed_by: number | null
  version: Generated<number>
  post_was: ForumState | null
  topic_was: ForumState | null
  held_was: Generated<HoldReason[]>
}
type Tournaments = {
  tournament: Generated<number>
  name: string
  about: Generated<string>
  kind: 'players' | 'clubs'
  format: Format
  third_place: Generated<boolean>
  level_from: Generated<number>
  level_to: number | null
  max_entries: number
  registration_from: Date
  registration_until: Date
  checkin_from: Date
  checkin_until: Date
  starts_at: Date
  state: Generated<'draft' | 'announced' | 'drawn' | 'finalised' | 'cancelled'>
  groups: number | null
  advance: number | null
  last_result_at: Date | null
  last_result_by: number | null
  finalised_at: Date | null
  finalised_by: number | null
  cancelled_why: Generated<string>
  created_by: number | null
  created_at: Date
  version: Generated<number>
}

type TournamentOffers = {
  tournament: number
  place: number
  currency: 'r_coin' | 'milleage' | null
  amount: number | null
  product_num: number | null
  quantity: number | null
}

type TournamentEntries = {
  entry: Generated<number>
  tournament: number
  user_num: number
  cha_num: number
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
  club: string | null
  registered_at: Date
  checked_in_at: Date | null
  seed: number | null
  place: number | null
}

type TournamentMatches = {
  match: Generated<number>
  tournament: number
  stage: number
  grp: number
  round: number
  number: number
  entry1: number | null
  entry2: number | null
  state: 'open' | 'ready' | 'done' | 'bye' | 'unneeded'
  outcome: Outcome | null
  score1: number | null
  score2: number | null
  winner: number | null
  result_by: number | null
  result_at: Date | null
  starts_at: Date | null
  version: Generated<number>
}

type TournamentPrizes = {
  prize: Generated<number>
  tournament: number
  place: number
  entry: number
  user_num: number
  letter: number
  made_at: Date
  made_by: number
  replaced_at: Date | null
}
