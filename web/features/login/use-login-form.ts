import { type FormEvent, useRef, useState } from 'react'
import { useLogin } from '#web/api/session-actions.ts'
import { checkLogin, type LoginErrors } from './check-login.ts'

const textOf = (form: HTMLFormElement, name: string) => String(new FormData(form).get(name) ?? '')
const fieldOf = (form: HTMLFormElement, name: string) => form.querySelector<HTMLInputElement>(`[name="${name}"]`)

/**
 * A login form with the fields UserID and UserPass: checks them, logs in, and moves the focus
 * to the field to correct. What was typed stays, except after a success. Sends one login at a time.
 *
 * @param goTo where to go after a login, asked when it succeeds
 */
export function useLoginForm(goTo: () => string) {
  const [errors, setErrors] = useState<LoginErrors>({})
  const [busy, setBusy] = useState(false)
  // `busy` changes with the next rendering, too late for a second submit in the same instant.
  const isSending = useRef(false)
  const logIn = useLogin()

  const onChange = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    if (Object.keys(errors).length > 0) setErrors(checkLogin(new FormData(currentTarget)))
  }

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const found = checkLogin(new FormData(form))
    setErrors(found)
    const [wrong] = Object.keys(found)
    if (wrong !== undefined) fieldOf(form, wrong)?.focus()
    if (wrong !== undefined || isSending.current) return
    isSending.current = true
    setBusy(true)
    const isIn = await logIn({ UserID: textOf(form, 'UserID'), UserPass: textOf(form, 'UserPass') }, goTo())
    setBusy(false)
    isSending.current = false
    if (isIn) form.reset()
    else fieldOf(form, 'UserPass')?.select()
  }

  return { errors, busy, form: { onChange, onSubmit, noValidate: true, method: 'dialog' as const } }
}
