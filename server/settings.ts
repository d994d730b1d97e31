import { sql } from 'kysely'
import { areDifferentNames, CURRENCY_NAMES, type CurrencyNames } from '#contract/currencies.ts'
import {
  checkSetting,
  SETTING_NAMES,
  SETTINGS,
  type ServerSettings,
  type SettingName,
  type Settings,
} from '#contract/settings.ts'
import type { Db } from './db/open.ts'
import type { Deps } from './deps.ts'
import { createInputRefusal, Refusal } from './errors.ts'

type DefaultDeps = Pick<Deps, 'config'>

/** Returns the default settings: those of the environment, and those of contract/settings.ts. */
export function getDefaultSettings(
  { config }: DefaultDeps,
  siteName = config.appName ?? SETTINGS.site_name.default,
): Settings {
  const serverSettings: ServerSettings = {
    // The demo world opens its desk without a second factor (DESK-4, WORLD-6).
    require_staff_factor: !config.demo,
    // The demo world is ready for players.
    first_steps: !config.demo,
    agent_url: config.agentUrl ?? '',
    social_url: config.socialUrl ?? '',
    operator_name: config.operatorName ?? `the operators of ${siteName}`,
    operator_email: config.operatorEmail ?? '',
  }
  const defaults = SETTING_NAMES.flatMap((name) => {
    const definition: object = SETTINGS[name]
    return 'default' in definition ? [[name, definition.default]] : []
  })
  return { ...Object.fromEntries(defaults), ...serverSettings }
}

/**
 * Reads every setting from the cache. A change reaches all processes with the notice `content_changed`, or within five
 * seconds if the notice is lost. Code that moves money uses `readSettingsNow` in its transaction instead.
 */
export async function readSettings(deps: Pick<Deps, 'db' | 'config' | 'cache'>): Promise<Settings> {
  return (await deps.cache.getValue('settings', () => readSettingsNow(deps))) as Settings
}

/** Returns what players call the currencies. */
export const getCurrencyNames = ({ r_coin_name, milleage_name }: Settings): CurrencyNames => ({
  rCoin: r_coin_name,
  milleage: milleage_name,
})

/** Reads what players call the currencies, as the database or the transaction `db` has it now. */
export async function selectCurrencyNames(db: Db): Promise<CurrencyNames> {
  const rows = await db
    .selectFrom('settings')
    .where('name', 'in', ['r_coin_name', 'milleage_name'])
    .where('value', 'is not', null)
    .select(['name', 'value'])
    .execute()
  const findValue = (name: SettingName) => rows.find((row) => row.name === name)?.value as string | undefined
  return {
    rCoin: findValue('r_coin_name') ?? CURRENCY_NAMES.rCoin,
    milleage: findValue('milleage_name') ?? CURRENCY_NAMES.milleage,
  }
}

/** Reads every setting, as the database or the transaction `db` has it now. */
export async function readSettingsNow({ db, config }: DefaultDeps & { db: Db }): Promise<Settings> {
  const rows = await db.selectFrom('settings').where('value', 'is not', null).select(['name', 'value']).execute()
  const storedSettings: Partial<Settings> = Object.fromEntries(
    rows.filter(({ name }) => name in SETTINGS).map(({ name, value }) => [name, value]),
  )
  const site_name = config.appName ?? storedSettings.site_name ?? SETTINGS.site_name.default
  return { ...getDefaultSettings({ config }, site_name), ...storedSettings, site_name }
}

/** Returns the environment variable that fixes a setting, so the desk cannot change it (SITE-2); null for none. */
export const getFixingVariable = ({ config }: DefaultDeps, name: SettingName): string | null =>
  name === 'site_name' && config.appName !== undefined ? 'APP_NAME' : null

/** A new value of a setting; null restores its default. `version` is the version that the operator has edited. */
export type SettingChange = { name: SettingName; value: unknown; version: number }

/** The author of a change: an account, or a command, which has no number. `undoes` is the number of an undone change. */
type ChangeAuthor = { userNum: number | null; name: string; now: Date; undoes?: number }

/** Creates the refusal of a change that conflicts with another operator's. */
const createConflict = (name: SettingName) => {
  const message = `Someone else has changed '${SETTINGS[name].label}' in the meantime. Please look at it again.`
  return new Refusal(409, 'conflict', message, { extra: { 'form-error': { [name]: [message] } } })
}

/** @throws Refusal 422 with the text for each wrong value */
export function assertValues(changes: readonly Pick<SettingChange, 'name' | 'value'>[]): void {
  const fieldErrors = changes.flatMap(({ name, value }) => {
    const text = value === null ? null : checkSetting(name, value)
    return text === null ? [] : [[name, [text]]]
  })
  if (fieldErrors.length > 0) throw createInputRefusal(Object.fromEntries(fieldErrors))
}

/**
 * Changes settings in the transaction `tx` and records each change in their history. An unchanged value is not recorded.
 *
 * @returns the names of the changed settings
 * @throws Refusal 422 with the text for each wrong value, 409 for a setting that has another version
 */
export async function writeSettings(
  tx: Db,
  changes: readonly SettingChange[],
  author: ChangeAuthor,
): Promise<SettingName[]> {
  assertValues(changes)
  const isRenaming = changes.some(({ name }) => name === 'r_coin_name' || name === 'milleage_name')
  // Lock both names: two operators who each change one could otherwise make them equal.
  if (isRenaming) await sql`select pg_advisory_xact_lock(hashtext('currency names'))`.execute(tx)
  const changedNames: SettingName[] = []
  // Change the settings in a fixed order, so two operators do not deadlock.
  for (const { name, value, version } of changes.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    await tx
      .insertInto('settings')
      .values({ name, value: null, version: 0, changed_at: author.now })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    const { rows } = await sql<{ before: unknown; version: number; is_same: boolean }>`
      select value as before, version, value is not distinct from ${toJson(value)}::jsonb as is_same
      from settings where name = ${name} for update`.execute(tx)
    const [currentSetting] = rows
    if (currentSetting === undefined || currentSetting.version !== version) throw createConflict(name)
    if (currentSetting.is_same) continue
    await tx
      .updateTable('settings')
      .set({ value: toJson(value), version: version + 1, changed_at: author.now })
      .where('name', '=', name)
      .execute()
    await tx
      .insertInto('setting_changes')
      .values({
        name,
        before: toJson(currentSetting.before),
        after: toJson(value),
        actor: author.userNum,
        actor_name: author.name,
        undoes: author.undoes ?? null,
        created_at: author.now,
      })
      .execute()
    changedNames.push(name)
  }
  if (isRenaming && !areDifferentNames(await selectCurrencyNames(tx))) throw createSameNamesRefusal(changes)
  return changedNames
}

/** Creates the refusal of a name that the other currency already has. */
const createSameNamesRefusal = (changes: readonly SettingChange[]) =>
  createInputRefusal(
    Object.fromEntries(
      changes
        .filter(({ name }) => name === 'r_coin_name' || name === 'milleage_name')
        .map(({ name }) => [name, ['The two currencies need different names.']]),
    ),
  )

const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value))
