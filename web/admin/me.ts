import { createContext, useContext } from 'react'
import type { CallOutput, StaffAccess } from '#contract/endpoint.ts'
import type { getDeskUser } from '#contract/staff.ts'

/** The logged-in operator: account, roles and permissions. */
export type Me = CallOutput<typeof getDeskUser>

const MeContext = createContext<Me | null>(null)

export const MeProvider = MeContext.Provider

/** Returns the operator. Use it only inside the desk's frame, which shows no screen until the operator has loaded. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (me === null) throw new Error('useMe is for screens of the desk.')
  return me
}

/** Whether an operator has a permission; every operator has `staff`. */
export const isAllowed = ({ permissions }: Pick<Me, 'permissions'>, access: StaffAccess): boolean =>
  access === 'staff' || (permissions as readonly string[]).includes(access)

/**
 * Returns a function that checks the operator's permissions: `may('orders.refund')`. Hide actions that are not
 * permitted.
 */
export function useMay(): (access: StaffAccess) => boolean {
  const me = useMe()
  return (access) => isAllowed(me, access)
}
