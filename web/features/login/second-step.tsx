import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { loginFactor } from '#contract/factors.ts'
import { alertText, call } from '#web/api/call.ts'
import { passkeyText, promptPasskey, supportsPasskeys } from '#web/api/passkeys.ts'
import { useEnter } from '#web/api/session-actions.ts'
import { holdLogin, type WaitingLogin, waitingLogin } from '#web/api/waiting-login.ts'
import { createOneAtATime } from '#web/forms/one-at-a-time.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import styles from './login-page.module.css'

type Method = 'totp' | 'passkey' | 'recovery'
type Answer = { code: string } | { assertion: Record<string, unknown> }

/** The second step of a login: a code of the app, a passkey, or a recovery code. */
export function SecondStep({ login }: { login: WaitingLogin }) {
  const { challenge, factors, options, goTo, keepAccount } = login
  const enter = useEnter()
  const methods = factors.filter((method) => method !== 'passkey' || (options !== undefined && supportsPasskeys()))
  const [method, setMethod] = useState<Method | undefined>(methods.includes('passkey') ? 'passkey' : methods[0])
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const oneAtATime = useMemo(createOneAtATime, [])
  const container = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each method starts at its first field or button
  useEffect(() => container.current?.querySelector<HTMLElement>('input, button')?.focus(), [method])

  const send = async (answer: Answer) => {
    const { data } = await call(loginFactor, { challenge, ...answer, keepAccount }, { shellShows: 'none' })
    if (waitingLogin(data, goTo, keepAccount) !== null) {
      setError(data.message)
      container.current?.querySelector('input')?.select()
      return
    }
    await enter(data, goTo)
    holdLogin(null)
  }

  const attempt = (act: () => Promise<void>, describe: (failure: unknown) => string) =>
    void oneAtATime(async () => {
      setBusy(true)
      setError(undefined)
      await act().catch((failure: unknown) => setError(describe(failure)))
      setBusy(false)
    })

  const sendCode = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim()
    if (code === '') {
      setError('Please enter the code.')
      container.current?.querySelector('input')?.focus()
    } else attempt(() => send({ code }), alertText)
  }

  return (
    <form className={styles.body} method="dialog" noValidate onSubmit={sendCode} data-for="guest">
      {method === undefined ? (
        <p className={styles.errorNote} role="status">
          The second factor of your account cannot be used here. Please write to support.
        </p>
      ) : (
        <div className={styles.step} ref={container} key={method}>
          <p id="second-step">{INTRODUCTIONS[method]}</p>
          {method === 'passkey' ? (
            <>
              <Button
                tone="paper"
                size="lg"
                busy={busy}
                aria-describedby="second-step"
                onClick={() =>
                  attempt(async () => send({ assertion: await promptPasskey(options ?? {}) }), passkeyText)
                }
              >
                Use a passkey
              </Button>
              {error !== undefined && (
                <p className={styles.errorNote} role="alert">
                  {error}
                </p>
              )}
            </>
          ) : (
            <>
              <TextField
                {...FIELDS[method]}
                name="code"
                spellCheck={false}
                aria-describedby="second-step"
                error={error}
                className={styles.code}
              />
              <Button type="submit" tone="paper" size="lg" busy={busy}>
                Login
              </Button>
            </>
          )}
        </div>
      )}
      <div className={styles.links}>
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <button
              key={other}
              type="button"
              onClick={() => {
                setError(undefined)
                setMethod(other)
              }}
            >
              {METHOD_LABELS[other]}
            </button>
          ))}
        <button type="button" onClick={() => holdLogin(null)}>
          Start again
        </button>
      </div>
    </form>
  )
}

const METHOD_LABELS: Record<Method, string> = {
  totp: 'Use the app',
  passkey: 'Use a passkey',
  recovery: 'Use a recovery code',
}

const INTRODUCTIONS: Record<Method, string> = {
  totp: 'Open your authenticator app and enter the six digits it shows for this site.',
  passkey: 'Your password is right. Now confirm with the passkey of your phone, computer or security key.',
  recovery: 'Enter one of the recovery codes that you saved. Each of them works once.',
}

/** A separate field for each kind of code, so a pasted code goes into the right one. */
const FIELDS = {
  totp: { label: 'Code from the app', inputMode: 'numeric', autoComplete: 'one-time-code' },
  recovery: { label: 'Recovery code', autoComplete: 'off', autoCapitalize: 'characters' },
} as const
