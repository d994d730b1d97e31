import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { DiscordChannel } from '#contract/discord.ts'
import type { Permission } from '#contract/permissions.ts'
import type { PostedKind } from '#contract/sharing.ts'
import type { Holdings } from './holdings.ts'
import type { JsonColumn, JsonListColumn, JsonObject } from './json.ts'

/** Staff, settings, jobs and figures. */
export interface OperationTables {
  site_key: { only_row: Generated<boolean>; sealed: string; made_at: Date }
  jobs: Jobs
  daily_figures: DailyFigures
  daily_sales: { day: string; product_num: number; units: number; r_coin: number; milleage: number }
  daily_logins: { day: string; hour: number; logins: number }
  daily_campaigns: { day: string; campaign: number } & RedemptionCounts
  daily_codes: { day: string; referral_code: string } & RedemptionCounts
  item_opens: { day: string; product_num: number; opens: number }
  share_links: { mark: string; kind: PostedKind; page: string; title: string; made_at: Date }
  share_visits: { day: string; mark: string; visits: number }
  largest_balances: { currency: 'r_coin' | 'milleage'; place: number; user_num: number }
  recent_errors: { hour: Date; kind: string; count: number; last_at: Date; last_message: string }
  backups: {
    backup: Generated<number>
    made_at: Date
    name: string
    rows: number | null
    bytes: number
    restored_at: Generated<Date | null>
    made_for: Generated<'night' | 'desk' | 'command'>
    made_by: number | null
    copied_at: Date | null
    copy_tried_at: Date | null
    copy_problem: Generated<string>
    check_asked_at: Date | null
    checked_at: Date | null
    check_problem: Generated<string>
  }
  backup_requests: {
    request: Generated<number>
    asked_at: Date
    asked_by: number | null
    ended_at: Date | null
    problem: Generated<string>
  }
  backup_downloads: { name: string; user_num: number; until: Date }
  backup_targets: BackupTargets
  alerts: Alerts
  discord_app: { only_row: Generated<boolean>; client_id: string; sealed: string; changed_at: Date }
  discord_posts: {
    post: GeneratedAlways<number>
    channel: DiscordChannel
    subject: string
    version: Generated<number>
    requested_at: Generated<Date>
    due_at: Generated<Date | null>
    attempts: Generated<number>
    message: string | null
    posted_to: string | null
    posted_at: Date | null
    failure: Generated<string>
  }
  settings: {
    name: string
    value: JsonColumn
    version: Generated<number>
    changed_at: Date
  }
  staff_roles: { role: string; name: string; permissions: Permission[] | null; version: Generated<number> }
  staff_suspensions: { user_num: number; suspended_by: number | null; suspended_at: Date }
  role_offers: { user_num: number; role: string; offered_by: number | null; offered_at: Date }
  staff_openings: { user_num: number; opened_at: Date }
  staff_members: { user_num: number; role: string; granted_by: number | null; granted_at: Date }
  first_owner: {
    only_row: Generated<boolean>
    word_hash: string | null
    ends_at: Date | null
    owned_since: Generated<Date | null>
  }
  staff_rights: { user_num: number; permission: Permission; since: Date }
  audit_log: AuditLog
  audit_personal: AuditPersonal
  approvals: Approvals
  approval_files: { approval: number; field: string; name: string; type: string; content: Buffer }
  staff_spending: { entry: Generated<number>; actor: number; kind: string; amount: number; at: Date }
  staff_irreversible: { entry: Generated<number>; actor: number; target_kind: string; target_id: string; at: Date }
  saved_views: { view: Generated<number>; list: string; name: string; query: string; created_by: number }
  setting_changes: {
    change: Generated<number>
    name: string
    before: JsonColumn
    after: JsonColumn
    actor: number | null
    actor_name: string
    undoes: number | null
    created_at: Date
  }
}

export type BackupTargets = {
  target: Generated<number>
  kind: 'folder' | 's3'
  place: string
  bucket: string
  region: string
  access_key: string
  sealed: string | null
  tried_at: Date
  tried_by: number | null
  used_at: Date | null
  ended_at: Date | null
}

/** One row a day in Manila. */
type DailyFigures = {
  day: string
  registrations: number
  logins: number
  active_players: number
  returning_players: number
  lost_players: number
  tickets: number
  answered_1h: number
  answered_4h: number
  answered_1d: number
  answered_3d: number
  answered_later: number
  forum_topics: number
  forum_posts: number
  forum_writers: number
  r_coin_issued: number
  r_coin_redeemed: number
  r_coin_spent: number
  r_coin_refunded: number
  r_coin_outstanding: number
  milleage_issued: number
  milleage_redeemed: number
  milleage_spent: number
  milleage_refunded: number
  milleage_outstanding: number
  counted_at: Date
}

type RedemptionCounts = {
  codes: number
  r_coin_redeemed: number
  milleage_redeemed: number
  r_coin_spent: number
  milleage_spent: number
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

/** A changed field. Personal values are in `audit_personal` only. */
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
  changes: JsonListColumn<Change>
}

type AuditPersonal = {
  entry: number
  player: number | null
  at: Date
  address: Generated<string>
  reason: Generated<string>
  changes: JsonListColumn<Change>
}

type Approvals = {
  approval: Generated<number>
  call: string
  input: ColumnType<Record<string, unknown>, string, string>
  /** The effect that the request showed. Approving it has exactly this effect, or none. */
  effect: ColumnType<JsonObject, string | undefined, string>
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

export const operationHoldings: Holdings<OperationTables> = {
  site_key: { notPersonal: ['sealed'] },
  jobs: { staffTexts: ['failure'], notPersonal: ['name', 'holder'] },
  daily_figures: {},
  daily_sales: {},
  daily_logins: {},
  daily_campaigns: {},
  daily_codes: { notPersonal: ['referral_code'] },
  item_opens: {},
  share_links: { notPersonal: ['mark', 'kind', 'page', 'title'] },
  share_visits: { notPersonal: ['mark'] },
  largest_balances: { player: 'user_num', notPersonal: ['currency'], notCopied: 'counted from other tables' },
  recent_errors: { staffTexts: ['last_message'], notPersonal: ['kind'] },
  discord_app: { notPersonal: ['client_id', 'sealed'] },
  discord_posts: { notPersonal: ['channel', 'subject', 'message', 'posted_to', 'failure'] },
  backups: { notPersonal: ['name', 'made_for', 'copy_problem', 'check_problem'] },
  backup_requests: { notPersonal: ['problem'] },
  backup_downloads: { player: 'user_num', notPersonal: ['name'], notCopied: 'work of the staff' },
  backup_targets: { notPersonal: ['kind', 'place', 'bucket', 'region', 'access_key', 'sealed'] },
  alerts: { staffTexts: ['detail'], notPersonal: ['problem'] },
  settings: { notPersonal: ['name', 'value'] },
  staff_roles: { notPersonal: ['role', 'name', 'permissions'] },
  staff_suspensions: { player: 'user_num', erase: 'delete', notCopied: 'work of the staff' },
  role_offers: { player: 'user_num', erase: 'delete', notCopied: 'work of the staff' },
  staff_openings: { player: 'user_num', notCopied: 'work of the staff' },
  staff_members: { player: 'user_num', notPersonal: ['role'], notCopied: 'work of the staff' },
  first_owner: { notPersonal: ['word_hash'] },
  staff_rights: { player: 'user_num', notPersonal: ['permission'], notCopied: 'work of the staff' },
  audit_log: {
    player: 'player',
    notPersonal: [
      'actor_kind',
      'actor_num',
      'actor_name',
      'permission',
      'action',
      'target_kind',
      'target_id',
      'changes',
    ],
    notCopied: 'work of the staff',
  },
  // An erasure also deletes the IP addresses in audit entries of the account's own actions.
  audit_personal: {
    player: 'player',
    erase: 'delete',
    erasedSeparately: ['address'],
    staffTexts: ['reason', 'changes'],
    notCopied: 'work of the staff',
  },
  approvals: {
    erasedSeparately: ['input', 'effect', 'summary', 'note', 'state'],
    staffTexts: ['summary', 'input', 'note'],
    notPersonal: ['call', 'content_hash', 'kind', 'accounts'],
  },
  approval_files: { notPersonal: ['field', 'name', 'type', 'content'] },
  staff_spending: { notPersonal: ['actor', 'kind'] },
  staff_irreversible: { notPersonal: ['actor', 'target_kind', 'target_id'] },
  saved_views: { erasedSeparately: ['name', 'query'], notPersonal: ['list'] },
  setting_changes: { staffTexts: ['before', 'after'], notPersonal: ['name', 'actor', 'actor_name'] },
}
