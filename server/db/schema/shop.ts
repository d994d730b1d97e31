import type { Generated, GeneratedAlways } from 'kysely'
import type { FailureCode, UnitOddity } from '#contract/bridge.ts'
import type { RewardSource } from '#contract/rewards.ts'
import type { VoteList } from '#contract/vote-lists.ts'
import type { Holdings } from './holdings.ts'

/** Items, money, purchases and vouchers. */
export interface ShopTables {
  ledger: Ledger
  shop_categories: { id: Generated<number>; category_name: string; position: number; version: Generated<number> }
  shop_items: ShopItems
  item_prices: ItemPrices
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
  voucher_makers: { user_num: number; campaign: number | null; referral_code: string | null }
  cart_lines: CartLines
  purchases: Purchases
  deliveries: Deliveries
  refunds: { delivery: number; amount: number; ledger_entry: number }
  topups: Topups
  idempotency_keys: IdempotencyKeys
  receipts_due: { user_num: number; first_ordinal: number; last_ordinal: number; created_at: Date }
  capsules: Capsules
  capsule_chances: { capsule: number; version: number; product_num: number; chance: number }
  capsule_draws: CapsuleDraws
  capsule_limits: {
    user_num: number
    draws_a_day: number | null
    later_draws: number | null
    later_from: Date | null
  }
  reward_sources: {
    source: RewardSource
    budget: Generated<number>
    version: Generated<number>
    raised_by: Generated<number[]>
    approved_by: number | null
    approved_at: Date | null
  }
  reward_charges: {
    charge: Generated<number>
    source: RewardSource
    actor: number
    amount: number
    from_at: Date
    until_at: Date | null
  }
  reward_offers: {
    source: RewardSource
    slot: number
    milleage: number | null
    product_num: number | null
    quantity: number | null
  }
  rewards: Rewards
  account_words: { user_num: number; word: string }
  vote_sites: VoteSites
  invitations: { user_num: number; inviter: number; invited_at: Date; rewarded_at: Date | null }
  starters: { user_num: number; due_at: Date }
  votes: { vote: Generated<number>; site: number; user_num: number; voted_at: Date; reward: number | null }
  reward_days: { source: RewardSource; day: string; spent: Generated<number> }
  wish_lists: { user_num: number; token: string }
  wishes: { user_num: number; product_num: number; wished_at: Date }
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

type ShopItems = {
  product_num: Generated<number>
  category_id: number
  item_name: string
  name_lower: GeneratedAlways<string>
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
  priced_by: number | null
  shelf_price: GeneratedAlways<number>
  version: Generated<number>
  search: GeneratedAlways<string>
  kind: Generated<'item' | 'service'>
  service: string | null
  service_pause_hours: number | null
  service_classes: Generated<string[]>
  service_schools: Generated<number[]>
  service_choices: Generated<string[]>
}

type ItemPrices = {
  item_price: Generated<number>
  product_num: number
  price: number
  sale_price: number | null
  sale_starts_at: Date | null
  sale_ends_at: Date | null
  changed_at: Generated<Date | null>
  section: number | null
  game_num: number | null
  usual: number | null
  ended_at: Date | null
  changed_by: number | null
  service: string | null
  service_choices: Generated<string[]>
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
  suspended_ms: Generated<number>
}

type Vouchers = {
  code_hash: string
  campaign: number
  redeemed_by: number | null
  redeemed_at: Date | null
  referral_code: string | null
  revoked_at: Date | null
  suspended_ms: Generated<number>
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
  reward: number | null
  free_service: string | null
}

type VoteSites = {
  site: Generated<number>
  name: string
  list: VoteList
  link: string
  pause_hours: number
  account_field: string
  voted_field: Generated<string>
  voted_value: Generated<string>
  secret_field: Generated<string>
  sender: Generated<string>
  address_hash: string | null
  sealed: string | null
  visible: Generated<boolean>
  version: Generated<number>
  connected_by: number | null
  rewarded_by: number | null
}

type Rewards = {
  reward: Generated<number>
  source: RewardSource
  user_num: number
  key: string
  value: number
  day: string
  given_at: Date
  ledger_entry: number | null
  ordinal: number | null
}

type Deliveries = {
  delivery: Generated<number>
  user_num: number
  ordinal: number
  product_num: number
  unit: number
  is_service: Generated<boolean>
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
  in_game: Generated<UnitOddity | ''>
  marked_at: Generated<Date | null>
}

type Topups = {
  user_num: number
  ordinal: number
  code: string
  r_coin: number
  milleage: number
  created_at: Date
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

export const shopHoldings: Holdings<ShopTables> = {
  ledger: {
    player: 'user_num',
    notPersonal: ['currency', 'reason', 'reference', 'actor'],
    copy: {
      part: 'ledger',
      columns: ['currency', 'delta', 'balance_after', 'reason', 'reference', 'created_at'],
      order: 'entry',
    },
    policy: 'Balances and the ledger',
  },
  shop_categories: { notPersonal: ['category_name'] },
  shop_items: {
    notPersonal: [
      ...(['item_name', 'name_lower', 'description', 'icon', 'image_url', 'ribbon', 'ribbon_picture', 'kind'] as const),
      ...(['service', 'service_classes', 'service_choices'] as const),
    ],
  },
  item_prices: { notPersonal: ['service', 'service_choices'] },
  voucher_campaigns: { notPersonal: ['name', 'streamer'] },
  referral_codes: { notPersonal: ['code', 'streamer'] },
  vouchers: {
    player: 'redeemed_by',
    notPersonal: ['code_hash', 'referral_code'],
    notCopied: 'another part of the copy has the data',
    policy: 'Vouchers',
  },
  voucher_makers: { player: 'user_num', notPersonal: ['referral_code'], notCopied: 'work of the staff' },
  cart_lines: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'cart', order: 'seq' },
    policy: 'Vouchers',
  },
  purchases: {
    player: 'user_num',
    notPersonal: ['item_name', 'free_service'],
    copy: { part: 'purchases', order: 'ordinal' },
    policy: 'Vouchers',
  },
  deliveries: {
    player: ['user_num', 'deliver_to'],
    notPersonal: ['state', 'failure_code', 'failure', 'pur_key', 'refund_refused', 'in_game'],
    copy: { part: 'deliveries', order: ['ordinal', 'unit'] },
    policy: 'Vouchers',
  },
  refunds: {},
  topups: {
    player: 'user_num',
    notPersonal: ['code', 'code_hash'],
    copy: { part: 'vouchers', order: 'ordinal' },
    policy: 'Vouchers',
  },
  // An erasure deletes the account's idempotency keys.
  idempotency_keys: {
    erasedSeparately: ['owner', 'key'],
    staffTexts: ['answer'],
    notPersonal: ['content', 'refused'],
    policy: 'The answer to a purchase or a voucher',
  },
  receipts_due: { player: 'user_num', erase: 'delete', notCopied: 'deleted within minutes', policy: 'Vouchers' },
  capsules: { notPersonal: ['name', 'description', 'picture'] },
  capsule_chances: {},
  capsule_draws: { player: 'user_num', copy: 'capsule_draws', policy: 'Vouchers' },
  capsule_limits: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'capsule_limit', without: ['user_num'] },
    policy: 'Vouchers',
  },
  reward_sources: { notPersonal: ['source', 'raised_by'] },
  reward_charges: { notPersonal: ['source', 'actor'] },
  reward_offers: { notPersonal: ['source'] },
  rewards: {
    player: 'user_num',
    notPersonal: ['source', 'key'],
    copy: { part: 'rewards', columns: { for: 'source', worth: 'value', given_at: 'given_at' }, order: 'reward' },
    policy: 'Rewards',
  },
  account_words: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'account_word', columns: ['word'] },
    policy: 'Votes',
  },
  vote_sites: {
    notPersonal: [
      ...(['name', 'list', 'link', 'account_field', 'voted_field', 'voted_value', 'secret_field', 'sender'] as const),
      ...(['address_hash', 'sealed'] as const),
    ],
  },
  invitations: { player: ['user_num', 'inviter'], erase: 'delete', copy: 'invitations', policy: 'Votes' },
  starters: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'starter_items', columns: ['due_at'] },
    policy: 'Rewards',
  },
  votes: { player: 'user_num', erase: 'delete', copy: 'votes', policy: 'Votes' },
  reward_days: { notPersonal: ['source'] },
  wish_lists: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'wish_list', columns: { link: 'token' } },
    policy: 'Vouchers',
  },
  wishes: { player: 'user_num', erase: 'delete', copy: 'wishes', policy: 'Vouchers' },
}
