import type { ColumnType, Generated } from 'kysely'
import type { DatabaseIdentity, Finding } from '#contract/bridge.ts'
import type { AccountProblem, LoginReset } from '#contract/bridge-accounts.ts'
import type { PasswordForm, SealPurpose } from '#contract/bridge-sealing.ts'
import type { GameValues, ServiceOrderState, ServiceReason } from '#contract/services.ts'
import type { Holdings } from './holdings.ts'
import type { JsonListColumn } from './json.ts'

/** Bridges, and their exchange with the game. */
export interface GameTables {
  bridges: Bridges
  bridge_codes: {
    bridge_code: Generated<number>
    code_hash: string
    made_at: Date
    made_by: number | null
    approved_by: number | null
    ends_at: Date
    failures: Generated<number>
    used_at: Date | null
    password_form: PasswordForm | null
  }
  character_blocks: { block: number; hash: string }
  club_blocks: { block: number; hash: string }
  game_sync: GameSync
  game_kills: { num: number; happened_at: Date; killer: number; victim: number }
  game_wars: { num: number; happened_at: Date; winner: number; loser: number; region: number }
  online_counts: { counted_at: Date; players: number }
  online_hours: {
    hour: Date
    kind: 'all' | 'school' | 'class'
    code: string
    players: number
    counts: number
    most: number
    downs: number
  }
  bridge_nonces: { bridge: number; nonce: string; used_at: Date }
  unknown_units: {
    unit: number
    mark: string
    game_user_num: number
    product_num: number
    price: number
    claimed: boolean
    found_at: Date
  }
  bridge_lease: { only_row: Generated<boolean>; bridge: number; instance: string; taken_at: Date; seen_at: Date }
  game_copy: GameCopy
  game_user_copy: GameCopy
  game_character_copy: GameCopy
  game_links: { user_num: number; game_user_num: number; proof: 'created' | 'password'; linked_at: Date }
  play_days: { user_num: number; day: string; minutes: Generated<number>; seen_at: Date }
  login_resets: {
    user_num: number
    requested_at: Date
    outcome: Generated<LoginReset['outcome'] | ''>
    answered_at: Date | null
  }
  game_restarts: {
    restart: Generated<number>
    restarted_at: Date
    reported_at: Date
    freed: number | null
    answered_at: Date | null
  }
  last_played: { user_num: number; played_on: string }
  game_accounts: GameAccounts
  game_forms: {
    user_num: number
    purpose: SealPurpose
    bridge: number
    form: PasswordForm
    version: number
    sealed: string
    made_at: Date
    is_site_password: Generated<boolean>
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
  service_orders: ServiceOrders
}

type ServiceOrders = {
  service_order: Generated<number>
  delivery: number | null
  undo_of: number | null
  ordered_by: number | null
  user_num: number
  product_num: number
  service: string
  cha_num: number
  cha_name: string
  choice: Generated<string>
  was: Generated<string>
  ordered_at: Date
  state: Generated<ServiceOrderState>
  reason: Generated<ServiceReason | ''>
  detail: Generated<string>
  online_at: Date | null
  handed_by: number | null
  handed_at: Date | null
  attempt: Generated<number>
  retry_at: Date | null
  before: ColumnType<GameValues | null, string | null | undefined, string | null>
  after: ColumnType<GameValues | null, string | null | undefined, string | null>
  done_at: Date | null
  again_at: Date | null
  settled_at: Date | null
  lost_at: Date | null
}

type GameAccounts = {
  user_num: number
  state: 'creating' | 'taken' | 'linked' | 'gone'
  game_user_id: Generated<string>
  found_user_id: Generated<string>
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
  knows_password: Generated<boolean>
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
  back_amount: number | null
  back_at: Date | null
  spent: Generated<number>
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
  reported_at: Generated<Date | null>
  online: Generated<number | null>
  online_at: Generated<Date | null>
  online_groups: JsonListColumn<{ school: number; class: number; players: number }>
  online_characters: Generated<number[]>
  life_at: Generated<Date | null>
  online_mark: Generated<string>
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
  password_form: Generated<PasswordForm | ''>
  frees_logins: Generated<boolean>
  clock_off_ms: Generated<number>
  problem: Generated<string>
  epoch: string | null
  findings: JsonListColumn<Finding>
  checked_at: Date | null
  check_asked_at: Date | null
  refusal: Generated<string>
  refused_at: Generated<Date | null>
  refusals: Generated<number>
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
  tables: Generated<string[]>
  identity: ColumnType<DatabaseIdentity, string | undefined, string>
  found_identity: ColumnType<DatabaseIdentity | null, string | null | undefined, string | null>
  as_of: Date | null
  removed: Generated<number>
}

export const gameHoldings: Holdings<GameTables> = {
  bridges: {
    notPersonal: [
      ...([
        'name',
        'sign_key',
        'seal_key',
        'version',
        'system',
        'preset',
        'password_form',
        'problem',
        'epoch',
      ] as const),
      ...(['findings', 'refusal'] as const),
    ],
  },
  bridge_codes: { notPersonal: ['code_hash', 'password_form'] },
  character_blocks: { notPersonal: ['hash'] },
  club_blocks: { notPersonal: ['hash'] },
  game_sync: {
    notPersonal: ['lacks', 'counts', 'problem', 'online_groups', 'online_characters', 'online_mark'],
  },
  game_kills: {},
  game_wars: {},
  online_counts: {},
  online_hours: { notPersonal: ['kind', 'code'] },
  bridge_nonces: { notPersonal: ['nonce'] },
  unknown_units: { notPersonal: ['mark'] },
  bridge_lease: { notPersonal: ['instance'] },
  game_copy: { notPersonal: ['epoch', 'found_epoch', 'next_epoch', 'tables', 'identity', 'found_identity'] },
  game_user_copy: { notPersonal: ['epoch', 'found_epoch', 'next_epoch', 'tables', 'identity', 'found_identity'] },
  game_character_copy: { notPersonal: ['epoch', 'found_epoch', 'next_epoch', 'tables', 'identity', 'found_identity'] },
  // The characters stay in the game; without the link they belong to no account here.
  game_links: { player: 'user_num', erase: 'delete', copy: 'game_account', policy: 'Account' },
  play_days: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'days_played', columns: ['day', 'minutes', 'seen_at'], order: 'day' },
    policy: 'Time played',
  },
  login_resets: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'login_reset', columns: ['requested_at', 'outcome'] },
    policy: 'Time played',
  },
  game_restarts: {},
  last_played: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'last_played', columns: { day: 'played_on' } },
    policy: 'Rewards',
  },
  game_accounts: { player: 'user_num', erase: 'delete', copy: 'game_account', policy: 'Account' },
  game_forms: {
    player: 'user_num',
    erase: 'delete',
    notCopied: 'would help to log in',
    policy: 'Your password for the game',
  },
  game_form_drafts: { notPersonal: ['challenge_hash', 'form', 'sealed'] },
  game_import: {},
  game_imports: { player: 'user_num', erase: 'delete', copy: 'game_account', policy: 'Account' },
  game_balances: {
    player: 'user_num',
    notPersonal: ['state', 'problem'],
    copy: { part: 'game_balances', columns: ['amount', 'state', 'changed_at'], order: 'changed_at' },
    policy: 'Balances and the ledger',
  },
  service_orders: {
    player: 'user_num',
    erase: { cha_name: 'Erased', was: '', choice: '', detail: '', before: null, after: null },
    notPersonal: ['service', 'state', 'reason'],
    copy: {
      part: 'services',
      columns: {
        service: 'service',
        character: 'cha_name',
        choice: 'choice',
        state: 'state',
        ordered_at: 'ordered_at',
        done_at: 'done_at',
        before: 'before',
        after: 'after',
      },
      order: 'service_order',
    },
    policy: 'Vouchers',
  },
}
