import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { getStartOfDay, toDayRange } from '#contract/manila.ts'
import { BUILT_IN_ROLES } from '#contract/permissions.ts'
import type { getAuditLog } from '#contract/staff.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Change } from '#server/db/schema/operation.ts'
import { cutPage, parseCursor } from '#server/http/desk-lists.ts'
import { canReadEntry, describeAction, listViewActions } from '#server/http/mount.ts'
import { getPermissions, type Staff } from '#server/http/staff.ts'

/** Selects the accounts with a role or a role offer, or one of these accounts, with the data for the desk. */
export async function selectMembers(db: Db, userNum?: number) {
  const rows = await db
    .selectFrom('accounts as a')
    .leftJoin('staff_suspensions as x', 'x.user_num', 'a.user_num')
    .leftJoin('accounts as by', 'by.user_num', 'x.suspended_by')
    .where('a.user_num', 'in', (members) =>
      members
        .selectFrom('staff_members')
        .select('user_num')
        .union(members.selectFrom('role_offers').select('user_num')),
    )
    .$if(userNum !== undefined, (query) => query.where('a.user_num', '=', userNum ?? 0))
    .select((account) => [
      'a.user_num',
      'a.user_id',
      sql<string>`btrim(a.first_name || ' ' || a.last_name)`.as('name'),
      'a.staff_name',
      isBlocked('a').as('blocked'),
      'x.suspended_at',
      'by.user_id as suspended_by',
      sql<boolean>`exists (select from account_factors f where f.user_num = a.user_num)`.as('has_factor'),
      account
        .selectFrom('sessions as s')
        .whereRef('s.user_num', '=', 'a.user_num')
        .select((s) => s.fn.max('s.last_seen_at').as('seen'))
        .as('last_seen_at'),
      jsonArrayFrom(
        account
          .selectFrom('staff_members as m')
          .innerJoin('staff_roles as r', 'r.role', 'm.role')
          .leftJoin('accounts as g', 'g.user_num', 'm.granted_by')
          .whereRef('m.user_num', '=', 'a.user_num')
          .select(['r.role', 'r.name', 'm.granted_at', 'g.user_id as granted_by'])
          .orderBy('m.granted_at')
          .orderBy('r.role'),
      ).as('roles'),
      jsonArrayFrom(
        account
          .selectFrom('role_offers as m')
          .innerJoin('staff_roles as r', 'r.role', 'm.role')
          .leftJoin('accounts as g', 'g.user_num', 'm.offered_by')
          .whereRef('m.user_num', '=', 'a.user_num')
          .select(['r.role', 'r.name', 'm.offered_at', 'g.user_id as offered_by'])
          .orderBy('m.offered_at')
          .orderBy('r.role'),
      ).as('offers'),
    ])
    .orderBy(sql`lower(a.user_id)`)
    .execute()
  return rows
}

/** Selects the roles, with the built-in roles first, or a single role. */
export async function selectRoles(db: Db, role?: string) {
  const rows = await db
    .selectFrom('staff_roles as r')
    .$if(role !== undefined, (query) => query.where('r.role', '=', role ?? ''))
    .select((r) => [
      'r.role',
      'r.name',
      'r.permissions',
      'r.version',
      r
        .selectFrom('staff_members as m')
        .whereRef('m.role', '=', 'r.role')
        .select((m) => m.fn.countAll<number>().as('count'))
        .as('members'),
    ])
    .orderBy(sql`r.permissions is not null`)
    .orderBy('r.name')
    .execute()
  return rows.map(({ permissions, members, ...row }) => ({
    ...row,
    permissions: getPermissions(row.role, permissions),
    built_in: row.role in BUILT_IN_ROLES,
    members: Number(members ?? 0),
  }))
}

/**
 * Selects a page of the audit log, newest first, with the personal values that are still stored. The changes and the reason
 * of an entry are visible only to operators who may make its call.
 */
export async function selectAuditLog(db: Db, staff: Staff, filters: ValidInput<typeof getAuditLog>) {
  const { after, actor, target_kind, target_id, player, action, views, from, until } = filters
  if ([from, until].some((day) => day !== '' && toDayRange(day) === undefined)) return { rows: [], next: null }
  const [actorNum, playerNum] = await Promise.all([findUserNum(db, actor), findUserNum(db, player)])
  const rows = await db
    .selectFrom('audit_log as l')
    .leftJoin('audit_personal as p', 'p.entry', 'l.entry')
    .leftJoin('accounts as a', 'a.user_num', 'l.actor_num')
    .leftJoin('accounts as w', 'w.user_num', 'l.player')
    .$if(after !== '', (q) => q.where('l.entry', '<', parseCursor(after)))
    .$if(actor !== '', (q) =>
      actorNum === undefined
        ? q.where('l.actor_num', 'is', null).where('l.actor_name', '=', actor)
        : q.where('l.actor_num', '=', actorNum),
    )
    .$if(target_kind !== '', (q) => q.where('l.target_kind', '=', target_kind))
    .$if(target_id !== '', (q) => q.where('l.target_id', '=', target_id))
    .$if(player !== '', (q) => q.where('l.player', '=', playerNum ?? -1))
    .$if(action !== '', (q) => q.where(sql`starts_with(l.action, ${action})`, '=', true))
    .$if(views === 'hidden', (q) => q.where(sql<boolean>`l.action <> all(${listViewActions()}::text[])`))
    .$if(from !== '', (q) => q.where('l.at', '>=', getStartOfDay(from)))
    .$if(until !== '', (q) => q.where('l.at', '<', new Date(getStartOfDay(until).getTime() + DAY_MS)))
    .select([
      'l.entry',
      'l.at',
      'l.actor_kind',
      'l.actor_num',
      sql<string>`coalesce(a.user_id, l.actor_name)`.as('actor'),
      'l.permission',
      'l.action',
      'l.target_kind',
      'l.target_id',
      'l.player',
      'w.user_id as player_id',
      'l.changes',
      'p.changes as personal',
      sql<string>`coalesce(p.reason, '')`.as('reason'),
      sql<string>`coalesce(p.address, '')`.as('address'),
    ])
    .orderBy('l.entry', 'desc')
    .limit(DESK_PAGE_SIZE + 1)
    .execute()
  return cutPage(
    rows,
    ({ entry }) => entry,
    ({ personal, changes, reason, ...row }) => {
      const isShown = canReadEntry(staff, row.action, row.target_id)
      return {
        ...row,
        what: describeAction(row.action),
        shown: isShown,
        reason: isShown ? reason : '',
        changes: isShown ? mergeChanges(changes, personal ?? []) : [],
      }
    },
  )
}

/** Selects the distinct actions in the audit log by one short index scan for each. */
export async function selectAuditActions(db: Db): Promise<{ action: string; what: string }[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive known as (
      (select action from audit_log order by action limit 1)
      union all
      select (select l.action from audit_log l where l.action > k.action order by l.action limit 1)
      from known k where k.action is not null)
    select action from known where action is not null`.execute(db)
  return rows.map(({ action }) => ({ action, what: describeAction(action) }))
}

/** Returns the changes of an entry, with personal values if it has any. */
const mergeChanges = (changes: Change[], personal: Change[]) =>
  changes.map((change) => personal.find(({ field }) => field === change.field) ?? change)

/** Returns the account number of a user ID; undefined if there is none. */
async function findUserNum(db: Db, userId: string): Promise<number | undefined> {
  if (userId === '') return undefined
  const accountRow = await db
    .selectFrom('accounts')
    .where(sql`lower(user_id)`, '=', userId.toLowerCase())
    .select('user_num')
    .executeTakeFirst()
  return accountRow?.user_num
}
