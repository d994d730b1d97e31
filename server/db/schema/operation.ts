import type { ColumnType, Generated } from 'kysely'
import type { Permission } from '#contract/permissions.ts'
import type { Json, JsonList, JsonObject } from './json.ts'

/** Staff, settings, jobs and figures. */
export interface OperationTables {
  site_key: { only_row: Generated<boolean>; sealed: string; made_at: Date }
  jobs: Jobs
  daily_figures: DailyFigures
  daily_sales: { day: string; product_num: number; units: number; r_coin: number; milleage: number }
  daily_logins: { day: string; hour: number; logins: number }
  daily_campaigns: { day: string; campaign: number } & Redeemed
  daily_codes: { day: string; referral_code: string } & Redeemed
  item_opens: { day: string; product_num: number; opens: number }
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
  settings: {
    name: string
    value: Json
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
    before: Json
    after: Json
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

type Redeemed = {
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
  /** The effect; approving does exactly this or nothing. */
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
