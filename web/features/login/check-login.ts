import { LOGIN } from '#contract/messages.ts'

export type LoginErrors = { UserID?: string; UserPass?: string }

/** The two rules that run before a login call (SPEC §5): neither field may be blank after trimming. */
export function checkLogin(form: { get(name: string): unknown }): LoginErrors {
  const isBlank = (name: string) => String(form.get(name) ?? '').trim() === ''
  return {
    ...(isBlank('UserID') && { UserID: LOGIN.userIdRequired }),
    ...(isBlank('UserPass') && { UserPass: LOGIN.passwordRequired }),
  }
}
