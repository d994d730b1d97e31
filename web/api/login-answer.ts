import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import type { SessionUser } from './session.ts'

type LoginAnswer = { user: SessionUser | null; token: string | null; status: number }

/**
 * A login's answer by its status (SPEC §4): 1 or less is a player, 11 or more an admin,
 * 2 to 10 a failure. @returns null for a failure
 */
export function readLoginAnswer({ user, token, status }: LoginAnswer) {
  const refused = status > 1 && status < ADMIN_USER_TYPE
  return refused || user === null || token === null ? null : { user, token, type: status }
}
