import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { getAccountHistory, getSessions } from '#contract/accounts.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { addPasskey, getFactors, removeFactor, renewRecoveryCodes, startPasskey, startTotp } from '#contract/factors.ts'
import { RECOVERY_CODES } from '#contract/limits.ts'
import { alertText, CallError, call, createIdempotencyKey, isExpired } from '#web/api/call.ts'
import { makePasskey, passkeyText, supportsPasskeys } from '#web/api/passkeys.ts'
import { keyOfAll, useCall } from '#web/api/queries.ts'
import { type SessionUser, useIsAdmin } from '#web/api/session.ts'
import { formatDay } from '#web/features/news/relative-time.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './account-page.module.css'
import { AppDialog, CodesDialog, type Factor, IdentityDialog, PasskeyDialog, RemoveDialog } from './factor-dialogs.tsx'

/** The open dialog of a change. A change can begin with the confirmation of identity. */
type Step =
  | { at: 'identity'; next: () => Promise<void> }
  | { at: 'app'; setUp: CallOutput<typeof startTotp> }
  | { at: 'passkey' }
  | { at: 'codes'; codes: string[] }
  | { at: 'remove'; factor: Factor; isLast: boolean }

/** Shows the second factors of the account, with ways to add, renew and remove them. */
export function SecondFactorsPanel({ index, user }: { index: number; user: SessionUser }) {
  const { data, isError, refetch, dataUpdatedAt } = useCall(getFactors, {}, { retry: false, staleTime: 0 })
  const queries = useQueryClient()
  const [step, setStep] = useState<Step | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  // The desk links to this panel. The browser scrolled before the panel was loaded.
  const isThere = data !== undefined
  useEffect(() => {
    if (isThere && location.hash === '#second-factor') document.getElementById('second-factor')?.scrollIntoView()
  }, [isThere])

  /** Shows new recovery codes, if any, and reloads the changed data. */
  const finish = async (text: string, codes: string[] | null) => {
    setStep(codes === null ? null : { at: 'codes', codes })
    void showToast('done', text)
    const changed = [getFactors, getAccountHistory, getSessions].map((endpoint) =>
      queries.invalidateQueries({ queryKey: keyOfAll(endpoint) }),
    )
    await Promise.all(changed)
  }

  /** Runs an action that needs a recent confirmation of identity. Prompts for one if it is missing, then continues. */
  const confirmed = async (name: string, act: () => Promise<void>): Promise<void> => {
    setBusy(name)
    try {
      await act()
    } catch (error) {
      if (error instanceof CallError && error.reason === 'sudo') {
        setStep({ at: 'identity', next: () => confirmed(name, act) })
      } else if (!isExpired(error)) {
        setStep(null)
        void showToast('error', error instanceof CallError ? alertText(error) : passkeyText(error))
      }
    }
    setBusy(null)
  }

  const quietly = { shellShows: 'ended-session' } as const
  const once = () => ({ ...quietly, idempotencyKey: createIdempotencyKey() })
  const setUpApp = () => confirmed('app', async () => setStep({ at: 'app', setUp: await call(startTotp, {}, once()) }))
  const savePasskey = (name: string) =>
    confirmed('passkey', async () => {
      const { options } = await call(startPasskey, {}, quietly)
      const { recovery_codes } = await call(addPasskey, { name, credential: await makePasskey(options) }, once())
      await finish('The passkey has been added.', recovery_codes)
    })
  const renewCodes = () =>
    confirmed('codes', async () => {
      const { recovery_codes } = await call(renewRecoveryCodes, {}, once())
      await finish('Your old recovery codes no longer work.', recovery_codes)
    })
  const remove = ({ id }: Factor) =>
    confirmed('remove', async () => {
      const { message } = await call(removeFactor, { id }, quietly)
      await finish(message, null)
    })

  const isAdmin = useIsAdmin()
  const close = () => setStep(null)
  const factors = data?.factors
  const hasApp = factors?.some(({ kind }) => kind === 'totp') === true
  const hasNone = factors?.length === 0
  const offersPasskeys = data?.passkeys_offered === true && supportsPasskeys()
  return (
    <Panel index={index} title="Second factor">
      <div className={`${styles.body} ${styles.factorsBody}`}>
        {data === undefined && !isError && <Skeleton width="100%" height={120} />}
        {data === undefined && isError && (
          <div className={styles.loadFailure}>
            <p>We couldn’t load this part.</p>
            <Button tone="secondary" onClick={() => void refetch()}>
              Try again
            </Button>
          </div>
        )}
        {hasNone && (
          <p className={styles.lead}>
            Your password alone opens your account. With a second factor, a stolen password is not enough: logging in
            also takes a code from your phone or a passkey.
          </p>
        )}
        {factors !== undefined && factors.length > 0 && (
          <ul className={styles.factors}>
            {factors.map((factor) => (
              <FactorLine key={factor.id} factor={factor} renderedAt={dataUpdatedAt}>
                <Button tone="quiet" onClick={() => setStep({ at: 'remove', factor, isLast: factors.length === 1 })}>
                  Remove<span className="visually-hidden"> {factor.name}</span>
                </Button>
              </FactorLine>
            ))}
            <CodesLine left={data?.recovery_codes_left ?? 0}>
              <Button tone="quiet" busy={busy === 'codes'} onClick={() => void renewCodes()}>
                Make new codes
              </Button>
            </CodesLine>
          </ul>
        )}
        {factors !== undefined && (
          <div className={layout.buttons}>
            <Button tone={hasNone ? 'primary' : 'secondary'} busy={busy === 'app'} onClick={() => void setUpApp()}>
              {hasApp ? 'Move to another app' : 'Set up an app'}
            </Button>
            {offersPasskeys && (
              <Button tone="secondary" busy={busy === 'passkey'} onClick={() => setStep({ at: 'passkey' })}>
                Add a passkey
              </Button>
            )}
            {isAdmin && !hasNone && <ButtonLink to="/admin">Open the desk</ButtonLink>}
          </div>
        )}
      </div>
      <IdentityDialog
        user={user}
        open={step?.at === 'identity'}
        onConfirmed={async () => {
          if (step?.at === 'identity') await step.next()
        }}
        onClose={close}
      />
      <AppDialog
        setUp={step?.at === 'app' ? step.setUp : null}
        hasApp={hasApp}
        onDone={({ recovery_codes }) => finish('Your app is set up.', recovery_codes)}
        onClose={close}
      />
      <PasskeyDialog open={step?.at === 'passkey'} busy={busy === 'passkey'} onName={savePasskey} onClose={close} />
      <CodesDialog codes={step?.at === 'codes' ? step.codes : null} userId={user.UserID} onClose={close} />
      <RemoveDialog
        removed={step?.at === 'remove' ? step : null}
        busy={busy === 'remove'}
        onRemove={remove}
        onClose={close}
      />
    </Panel>
  )
}

type FactorLineProps = { factor: Factor; renderedAt: number; children: ReactNode }

function FactorLine({ factor: { kind, name, created_at, last_used_at }, renderedAt, children }: FactorLineProps) {
  return (
    <li>
      <div>
        <strong>{name}</strong>
        {kind === 'passkey' && <span className={styles.plate}>Passkey</span>}
      </div>
      <p>
        Added {formatDay(created_at).day}, {last_used_at === null ? 'not used yet' : 'last used '}
        {last_used_at !== null && <RelativeTime iso={last_used_at} renderedAt={renderedAt} />}
      </p>
      {children}
    </li>
  )
}

/** Below this number, the page recommends new recovery codes. */
const FEW_CODES = 3

function CodesLine({ left, children }: { left: number; children: ReactNode }) {
  return (
    <li>
      <div>
        <strong>Recovery codes</strong>
        {left < FEW_CODES && <span className={styles.warning}>{left === 0 ? 'None left' : `Only ${left} left`}</span>}
      </div>
      <p>
        {left} of {RECOVERY_CODES} are unused. Each of them logs you in once when you have lost everything else.
      </p>
      {children}
    </li>
  )
}
