import { ADMIN_USER_TYPE } from '#contract/limits.ts'

/** The admin check of SPEC §5: the type the server grants is 11 or more, and the stored one is the same. */
export function isAdmin(granted: number | null, stored: number): boolean {
  return granted !== null && granted >= ADMIN_USER_TYPE && granted === stored
}
