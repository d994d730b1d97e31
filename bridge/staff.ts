import { GAME_STAFF_TYPE } from '#contract/bridge.ts'
import type { GameConfig } from './config.ts'
import type { ResolvedTable } from './game/names.ts'

type Accounts = Pick<ResolvedTable<'UserInfo'>, 'columns'>

/**
 * Returns the SQL condition for accounts of the game's staff: the user types and account numbers in the configuration, or
 * by default user type 10 and more (BRIDGE-22).
 */
export function getStaffCondition({ staff }: Pick<GameConfig, 'staff'>, { columns: c }: Accounts, prefix = ''): string {
  const formatCondition = (column: string | null, values: readonly number[]) =>
    column === null || values.length === 0 ? [] : [`${prefix}${column} in (${values.join(', ')})`]
  const byType =
    staff?.types === undefined
      ? c.UserType === null
        ? []
        : [`${prefix}${c.UserType} >= ${GAME_STAFF_TYPE}`]
      : formatCondition(c.UserType, staff.types)
  const conditions = [...byType, ...formatCondition(c.UserNum, staff?.numbers ?? [])]
  return conditions.length === 0 ? '1 = 0' : `(${conditions.join(' or ')})`
}

/** Returns SQL for 1 or 0: whether an account counts as staff. One without a user type does, so the bridge does not change it. */
export function selectStaffFlag(config: Pick<GameConfig, 'staff'>, accounts: Accounts, prefix = ''): string {
  const type = accounts.columns.UserType
  const unknownTypeCondition = type === null ? '' : ` or ${prefix}${type} is null`
  return `case when ${getStaffCondition(config, accounts, prefix)}${unknownTypeCondition} then 1 else 0 end`
}
