import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { loginFactor } from '#contract/factors.ts'
import { call, getAlertText } from '#web/api/call.ts'
import { storeLogin, toWaitingLogin, type WaitingLogin } from '#web/api/incomplete-login.ts'
import { getPasskeyErrorText, promptPasskey, supportsPasskeys } from '#web/api/passkeys.ts'
import { useLoginCompletion } from '#web/api/session-actions.ts'
import { createExclusiveRunner } from '#web/forms/exclusive-runner.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import styles from './login-page.module.css'

type Method = 'totp' | 'passkey' | 'recovery'
type FactorAnswer = { code: string } | { assertion: Record<string, unknown> }

/** The second step of a login: a code of the app, a passkey, or a recovery code. */
export function SecondStep({ login }: { login: WaitingLogin }) {
  const { challenge, factors, options, nextPath, keepAccount } = login
  const completeLogin = useLoginCompletion()
  const methods = factors.filter((method) => method !== 'passkey' || (options !== undefined && supportsPasskeys()))
  const [method, setMethod] = useState<Method | undefined>(methods.includes('passkey') ? 'passkey' : methods[0])
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const runExclusively = useMemo(createExclusiveRunner, [])
  const container = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each method starts at its first field or button
  useEffect(() => container.current?.querySelector<HTMLElement>('input, button')?.focus(), [method])

  const send = async (answer: FactorAnswer) => {
    const { data } = await call(loginFactor, { challenge, ...answer, keepAccount }, { shellFailures: 'none' })
    if (toWaitingLogin(data, nextPath, keepAccount) !== null) {
      setError(data.message)
      container.current?.querySelector('input')?.select()
      return
    }
    await completeLogin(data, nextPath)
    storeLogin(null)
  }

  const attempt = (action: () => Promise<void>, getErrorText: (failure: unknown) => string) =>
    void runExclusively(async () => {
      setBusy(true)
      setError(undefined)
      await action().catch((failure: unknown) => setError(getErrorText(failure)))
      setBusy(false)
    })

  const sendCode = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim()
    if (code === '') {
      setError('Please enter the code.')
      container.current?.querySelector('input')?.focus()
    } else attempt(() => send({ code }), getAlertText)
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
                  attempt(async () => send({ assertion: await promptPasskey(options ?? {}) }), getPasskeyErrorText)
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
          .filter((otherMethod) => otherMethod !== method)
          .map((otherMethod) => (
            <button
              key={otherMethod}
              type="button"
              onClick={() => {
                setError(undefined)
                setMethod(otherMethod)
              }}
            >
              {METHOD_LABELS[otherMethod]}
            </button>
          ))}
        <button type="button" onClick={() => storeLogin(null)}>
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
