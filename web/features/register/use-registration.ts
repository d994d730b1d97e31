import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { register } from '#contract/accounts.ts'
import { REGISTERED_REDIRECT_MS } from '#contract/limits.ts'
import { alertText, CallError, call } from '#web/api/call.ts'
import { pause } from '#web/api/guard.ts'
import { resolverOf } from '#web/features/account/form-resolver.ts'
import { showToast, warmToasts } from '#web/ui/toast.ts'
import { clearDraft, readDraft, saveDraft } from './register-draft.ts'
import {
  checkRegistration,
  formErrorAlert,
  REGISTRATION_FIELDS,
  type RegistrationForm,
  toRegistration,
} from './registration-rules.ts'

/** The server's texts by field, when a refusal carries them (DECISIONS §3 Errors). */
function formErrorOf(error: unknown): Record<string, string[]> | null {
  return error instanceof CallError && Object.keys(error.fields).length > 0 ? error.fields : null
}

/** The registration form: its rules, its draft, its sending (SPEC §2.6, §4, §5, §8). */
export function useRegistration() {
  const form = useForm<RegistrationForm>({ resolver: resolverOf(checkRegistration) })
  const navigate = useNavigate()
  const done = useRef(false)
  const { setValue, getValues, setError, setFocus } = form

  useEffect(warmToasts, [])
  useEffect(() => {
    const draft = readDraft(sessionStorage)
    for (const name of REGISTRATION_FIELDS) {
      const kept = (draft as Partial<RegistrationForm>)[name]
      if (kept !== undefined && (name === 'gender' || !getValues(name))) setValue(name, kept)
    }
  }, [setValue, getValues])

  const showRefusal = (errors: Record<string, string[]>) => {
    void showToast('error', formErrorAlert(errors))
    const wrong = REGISTRATION_FIELDS.filter((name) => errors[name]?.[0] !== undefined)
    for (const name of wrong) setError(name, { type: 'server', message: errors[name]?.[0] })
    if (wrong[0] !== undefined) setFocus(wrong[0])
  }

  const send = async (values: RegistrationForm) => {
    try {
      const { status, message } = await call(register, toRegistration(values), { shellShows: 'ended-session' })
      void showToast(status === 1 ? 'done' : 'error', message)
      if (status !== 1) return
      done.current = true
      clearDraft(sessionStorage)
      await pause(REGISTERED_REDIRECT_MS)
      await navigate('/')
    } catch (error) {
      const errors = formErrorOf(error)
      if (errors === null) void showToast('error', alertText(error))
      else showRefusal(errors)
    }
  }

  const keep = () => {
    if (!done.current) saveDraft(sessionStorage, getValues())
  }
  return { form, submit: form.handleSubmit(send), keep }
}
