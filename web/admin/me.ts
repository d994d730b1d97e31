import { createContext, useContext } from 'react'
import type { getDeskUser } from '#contract/desk-staff.ts'
import type { CallOutput, StaffAccess } from '#contract/endpoint.ts'

/** Who works at the desk: the account, its roles and permissions. */
export type Me = CallOutput<typeof getDeskUser>

const MeContext = createContext<Me | null>(null)

export const MeProvider = MeContext.Provider

/** Who works at the desk. Below the desk's frame only, which shows no screen before it knows. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (me === null) throw new Error('useMe is for screens of the desk.')
  return me
}

/** Whether somebody's roles have a permission; everybody at the desk has `staff`. */
export const isAllowed = ({ permissions }: Pick<Me, 'permissions'>, access: StaffAccess): boolean =>
  access === 'staff' || (permissions as readonly string[]).includes(access)

/** Tells what the person at the desk may do: `may('orders.refund')`. Hide what they may not. */
export function useMay(): (access: StaffAccess) => boolean {
  const me = useMe()
  return (access) => isAllowed(me, access)
}
