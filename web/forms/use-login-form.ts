import { type FormEvent, useMemo, useState } from 'react'
import { CALL_TEXTS } from '#contract/messages.ts'
import { processLogin } from '#contract/session.ts'
import { CallError, getAlertText } from '#web/api/call.ts'
import { useLogin } from '#web/api/session-actions.ts'
import { showToast } from '#web/ui/toast.ts'
import { createExclusiveRunner } from './exclusive-runner.ts'

type FieldErrors = { UserID?: string; UserPass?: string }

/** Downloads the rules, at the first focus rather than with the page. */
const fetchRules = () => Promise.all([import('./rules.ts'), processLogin.schema()])

const readText = (form: HTMLFormElement, name: string) => String(new FormData(form).get(name) ?? '')
const readLogin = (form: HTMLFormElement) => ({
  UserID: readText(form, 'UserID'),
  UserPass: readText(form, 'UserPass'),
})
const findField = (form: HTMLFormElement, name: string) => form.querySelector<HTMLInputElement>(`[name="${name}"]`)

/**
 * Returns a login form with the fields UserID and UserPass. It checks them, logs in, and focuses the first error. The
 * typed values remain after a failure. The side panel has this form on every page, so it does not use
 * react-hook-form, which would add 10 kB to the first visit.
 *
 * @param getNextPath returns the address to open after a successful login
 */
export function useLoginForm(getNextPath: () => string) {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const runExclusively = useMemo(createExclusiveRunner, [])
  const logIn = useLogin()

  const checkForm = async (form: HTMLFormElement) => {
    const { checkFields } = await import('./rules.ts').catch(() => {
      throw new CallError(0, CALL_TEXTS.network)
    })
    const fieldErrors = await checkFields(processLogin, readLogin(form))
    setErrors(fieldErrors)
    return Object.keys(fieldErrors)
  }

  const submit = async (form: HTMLFormElement) => {
    setRefusal(null)
    const [firstInvalid] = await checkForm(form)
    if (firstInvalid !== undefined) return findField(form, firstInvalid)?.focus()
    setBusy(true)
    const answer = await logIn(readLogin(form), getNextPath())
    setBusy(false)
    if (answer.isAccepted) return form.reset()
    setRefusal(answer.refusal)
    findField(form, 'UserPass')?.select()
  }

  return {
    errors,
    busy,
    /** The server's refusal of the last login; null as soon as the player types. */
    refusal,
    form: {
      method: 'dialog' as const,
      noValidate: true,
      onFocus: () => void fetchRules().catch(() => undefined),
      onChange: ({ currentTarget }: FormEvent<HTMLFormElement>) => {
        setRefusal(null)
        if (Object.keys(errors).length > 0) void checkForm(currentTarget).catch(() => undefined)
      },
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        const form = event.currentTarget
        void runExclusively(() => submit(form)).catch((error: unknown) => showToast('error', getAlertText(error)))
      },
    },
  }
}
