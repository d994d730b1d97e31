import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import * as calls from '#contract/desk-settings.ts'
import { REWARD_SOURCES } from '#contract/rewards.ts'
import {
  arePurchasesOpen,
  checkSetting,
  isMaintenanceOn,
  type Maintenance,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
} from '#contract/settings.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { sealWebhook } from '#server/discord.ts'
import { createInputRefusal, refuse } from '#server/errors.ts'
import { changeSources } from '#server/features/rewards/charges.ts'
import { REWARD_SETTINGS } from '#server/features/rewards/source-state.ts'
import { hasRemainingOwner, lockOwners } from '#server/features/staff/owners.ts'
import { cutPage, parseCursor } from '#server/http/desk-lists.ts'
import { type DeskTools, type MountedCall, mount } from '#server/http/mount.ts'
import { approveOutsideLinks } from '#server/http/outside-links.ts'
import type { Staff } from '#server/http/staff.ts'
import { awaitMoneyCalls } from '#server/maintenance.ts'
import {
  assertValues,
  getDefaultSettings,
  getFixingVariable,
  readSettingsNow,
  type SettingChange,
  writeSettings,
} from '#server/settings.ts'
import type { SiteKey } from '#server/site-key.ts'
import { describeValue, flattenSettings, hideSecret } from './describe.ts'

/** The calls of the desk about settings and maintenance. */
export const settingDeskCalls: MountedCall[] = [
  mount(calls.getSettings, async (_, { deps, staff }) => ({ rows: await listSettings(deps, staff) })),

  mount(calls.getSettingChanges, async ({ after, name }, { deps: { db }, staff }) => {
    const names = listAllowedNames(staff).filter((allowedName) => name === '' || allowedName === name)
    return selectSettingChanges(db, names, after)
  }),

  mount(calls.saveSettings, async ({ changes }, context) => {
    if (changes.some(({ name }) => name.startsWith('purchases_'))) await awaitMoneyCalls(context.deps.db)
    const sources = changes.some(({ name }) => REWARD_SETTINGS.includes(name)) ? REWARD_SOURCES : []
    const settings = Object.fromEntries(
      changes.map(({ name, value, undoes }) => [
        SETTINGS[name].label,
        undoes === undefined ? describeValue(name, value) : `as before change ${undoes}`,
      ]),
    )
    const summary = Object.entries(settings)
      .map(([label, value]) => `${label}: ${value}`)
      .join('; ')
    const { result } = await changeSources(context, { sources, summary, effect: { settings } }, () =>
      saveChanges(changes, context),
    )
    return result
  }),
  mount(calls.saveSiteSettings, async ({ changes }, context) => {
    const before = await readSettingsNow(context.deps)
    return saveChanges(changes, context, (newValues) =>
      approveOutsideLinks(context, 'site.write', {
        what: newValues.map(({ name }) => SETTINGS[name].label).join(', '),
        before: newValues.map(({ name }) => before[name]),
        after: newValues.map(({ value }) => value),
      }),
    )
  }),

  mount(calls.saveNames, ({ changes }, context) => {
    if (changes.some(({ name }) => getFixingVariable(context.deps, name) !== null))
      throw refuse(calls.saveNames, 'fixedByEnvironment')
    return saveChanges(changes, context)
  }),

  mount(calls.saveStaffSettings, async ({ changes }, context) => {
    const {
      approval_limit: limit,
      approvals_on: areApprovalsOn,
      price_floor: priceFloor,
      require_staff_factor: requiresFactor,
    } = await readSettingsNow(context.deps)
    const answer = await saveChanges(changes, context, async (newValues) => {
      const sensitiveChanges = newValues.filter(
        ({ name, value }) =>
          (name === 'approval_limit' && value !== limit) ||
          (name === 'price_floor' && Number(value) < priceFloor) ||
          (name === 'approvals_on' && value === false && areApprovalsOn) ||
          (name === 'require_staff_factor' && value === false && requiresFactor),
      )
      if (sensitiveChanges.length === 0) return
      const summary = sensitiveChanges
        .map(({ name, value }) => `${SETTINGS[name].label}: ${describeValue(name, value)}`)
        .join('; ')
      const effect = Object.fromEntries(
        newValues.map(({ name, value }) => [SETTINGS[name].label, describeValue(name, value)]),
      )
      await context.requireApproval({ approverKind: 'owner', accounts: [], summary, effect })
    })
    if (!requiresFactor) await assertOwnerFactor(context.deps)
    return answer
  }),

  mount(calls.saveMaintenance, async ({ changes }, context) => {
    await awaitMoneyCalls(context.deps.db)
    return saveChanges(changes, context)
  }),
]

/** Refuses to require a second factor while no owner has one. @throws Refusal 409 */
async function assertOwnerFactor({ db: tx, config, now }: Deps): Promise<void> {
  await lockOwners(tx)
  const { require_staff_factor: isFactorRequired } = await readSettingsNow({ db: tx, config })
  if (isFactorRequired && !(await hasRemainingOwner(tx, { isFactorRequired, now: now() })))
    throw refuse(calls.saveStaffSettings, 'ownerFactorMissing')
}

const listAllowedNames = ({ permissions }: Staff): SettingName[] =>
  SETTING_NAMES.filter((name) => permissions.has(SETTINGS[name].permission))

async function listSettings({ db, config }: Pick<Deps, 'db' | 'config'>, staff: Staff, shownNames = SETTING_NAMES) {
  const values = await readSettingsNow({ db, config })
  const defaults = getDefaultSettings({ config })
  const rows = await db.selectFrom('settings').select(['name', 'version', 'changed_at', 'value']).execute()
  const changes = await db
    .selectFrom('setting_changes')
    .distinctOn('name')
    .select(['name', 'actor_name'])
    .orderBy('name')
    .orderBy('change', 'desc')
    .execute()
  return listAllowedNames(staff)
    .filter((name) => shownNames.includes(name))
    .map((name) => {
      const row = rows.find((settingRow) => settingRow.name === name)
      return {
        name,
        value: hideSecret(name, values[name]),
        is_default: (row?.value ?? null) === null,
        default: describeValue(name, defaults[name]),
        changed_by: changes.find((change) => change.name === name)?.actor_name ?? null,
        fixed_by: getFixingVariable({ config }, name),
        version: row?.version ?? 0,
        changed_at: row?.changed_at ?? null,
      }
    })
}

type RequestedChange = { name: SettingName; version: number; value?: unknown; undoes?: number | undefined }
type SaveContext = Pick<DeskTools, 'staff' | 'record'> & { deps: Deps }

/**
 * Changes settings and records them in the audit log.
 *
 * @param requestApproval requires approval of the new values where they need it
 */
async function saveChanges(
  requestedChanges: readonly RequestedChange[],
  { deps, staff, record }: SaveContext,
  requestApproval: (changes: readonly SettingChange[]) => Promise<void> = async () => {},
) {
  const { db: tx, config, now } = deps
  const defaults = getDefaultSettings({ config })
  const before = await readSettingsNow({ db: tx, config })
  const changes: SettingChange[] = []
  for (const requestedChange of requestedChanges)
    changes.push({ ...requestedChange, value: await resolveValue(deps, requestedChange) })
  // Checks the values before the approval, because another owner must not get a request that would fail.
  assertValues(changes)
  await requestApproval(changes.map(({ value, ...change }) => ({ ...change, value: value ?? defaults[change.name] })))
  const [undoneChange] = requestedChanges.flatMap(({ undoes }) => (undoes === undefined ? [] : [undoes]))
  const names = await writeSettings(tx, changes, {
    userNum: staff.userNum,
    name: staff.userId,
    now: now(),
    ...(undoneChange !== undefined && { undoes: undoneChange }),
  })
  const after = await readSettingsNow({ db: tx, config })
  record({
    target: ['setting', names.join(', ') || requestedChanges.map(({ name }) => name).join(', ')],
    before: flattenSettings(names, before),
    after: {
      ...flattenSettings(names, after),
      ...(undoneChange !== undefined && { undoes: undoneChange }),
    },
  })
  const rows = await listSettings(
    { db: tx, config },
    staff,
    requestedChanges.map(({ name }) => name),
  )
  return { message: describeResult(names, after, now()), rows }
}

/** Returns the settings of maintenance without unknown keys. */
function pickMaintenance(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { from, until, message, allowed }: Partial<Record<keyof Maintenance, unknown>> = value
  return { from, until, message, allowed }
}

/** Seals an entered webhook (DESK-13). @throws Refusal 422 for an address that is not one of Discord's webhooks */
function sealWebhookSetting(siteKey: SiteKey, name: SettingName, value: unknown): unknown {
  if (value === null || value === '') return value
  const problem = typeof value === 'string' ? checkSetting(name, value) : 'Enter text.'
  if (problem !== null) throw createInputRefusal({ [name]: [problem] })
  return sealWebhook(siteKey, String(value))
}

/** Returns the new value of a setting; for an undo, the earlier one. */
async function resolveValue(
  { db: tx, siteKey }: Pick<Deps, 'db' | 'siteKey'>,
  { name, value = null, undoes }: RequestedChange,
): Promise<unknown> {
  if (undoes === undefined && SETTINGS[name].kind === 'webhook') return sealWebhookSetting(siteKey, name, value)
  if (undoes === undefined) return name === 'maintenance' ? pickMaintenance(value) : value
  const undoneChange = await tx
    .selectFrom('setting_changes')
    .where('change', '=', undoes)
    .where('name', '=', name)
    .select('before')
    .executeTakeFirst()
  if (undoneChange === undefined) throw refuse(calls.saveSettings, 'changeNotFound')
  return undoneChange.before
}

function describeResult(names: readonly SettingName[], settingsAfter: Settings, now: Date): string {
  const { maintenance } = settingsAfter
  if (names.length === 0) return 'Nothing was changed.'
  if (names.some((name) => name === 'purchases_open' || name === 'purchases_from'))
    return describeSales(settingsAfter, now)
  if (!names.includes('maintenance')) return 'Saved.'
  if (isMaintenanceOn(maintenance, now)) return 'Maintenance is on. Players can read the site, but not log in or spend.'
  return maintenance.from === '' || Date.parse(maintenance.from) < now.getTime()
    ? 'Maintenance is off.'
    : 'Maintenance is planned. Every page announces it.'
}

function describeSales(settings: Settings, now: Date): string {
  if (arePurchasesOpen(settings, now)) return 'Purchases are open. Players can buy now.'
  return settings.purchases_open
    ? 'Purchases are planned. The shop shows when they open.'
    : 'Purchases are closed. Players can look at the shop and redeem codes.'
}

/** Selects the changes of settings by their names, newest first. */
async function selectSettingChanges(db: Db, names: readonly SettingName[], after: string) {
  const rows = await db
    .selectFrom('setting_changes as c')
    .where('c.name', 'in', names.length === 0 ? [''] : [...names])
    .$if(after !== '', (query) => query.where('c.change', '<', parseCursor(after)))
    .select(['change', 'name', 'before', 'after', 'actor_name', 'undoes', 'created_at'])
    .select(
      sql<boolean>`not exists (select from setting_changes later where later.name = c.name and later.change > c.change)`.as(
        'is_latest',
      ),
    )
    .orderBy('change', 'desc')
    .limit(DESK_PAGE_SIZE + 1)
    .execute()
  return cutPage(
    rows,
    (row) => row.change,
    (row) => {
      const name = row.name as SettingName
      return {
        change: row.change,
        at: row.created_at,
        name,
        label: SETTINGS[name].label,
        before: describeValue(name, row.before),
        after: describeValue(name, row.after),
        actor: row.actor_name,
        undoes: row.undoes,
        is_latest: row.is_latest,
      }
    },
  )
}
