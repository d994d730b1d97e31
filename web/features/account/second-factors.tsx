import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { getAccountHistory, getSessions } from '#contract/accounts.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { addPasskey, getFactors, removeFactor, renewRecoveryCodes, startPasskey, startTotp } from '#contract/factors.ts'
import { RECOVERY_CODE_COUNT } from '#contract/limits.ts'
import { CallError, call, createIdempotencyKey, getAlertText, isSessionExpired } from '#web/api/call.ts'
import { createPasskey, getPasskeyErrorText, supportsPasskeys } from '#web/api/passkeys.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
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
  | { kind: 'identity'; next: () => Promise<void> }
  | { kind: 'app'; setUp: CallOutput<typeof startTotp> }
  | { kind: 'passkey' }
  | { kind: 'codes'; codes: string[] }
  | { kind: 'remove'; factor: Factor; isLast: boolean }

/** Shows the second factors of the account, with ways to add, renew and remove them. */
export function SecondFactorsPanel({ index, user }: { index: number; user: SessionUser }) {
  const { data, isError, refetch, dataUpdatedAt } = useCall(getFactors, {}, { retry: false, staleTime: 0 })
  const queries = useQueryClient()
  const [step, setStep] = useState<Step | null>(null)
  const [busyAction, setBusyAction] = useState<string | null>(null)
  // The desk links to this panel. The browser scrolled before the panel was loaded.
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded && location.hash === '#second-factor') document.getElementById('second-factor')?.scrollIntoView()
  }, [isLoaded])

  /** Shows new recovery codes, if any, and reloads the changed data. */
  const finish = async (text: string, codes: string[] | null) => {
    setStep(codes === null ? null : { kind: 'codes', codes })
    void showToast('done', text)
    const invalidations = [getFactors, getAccountHistory, getSessions].map((endpoint) =>
      queries.invalidateQueries({ queryKey: toKeyPrefix(endpoint) }),
    )
    await Promise.all(invalidations)
  }

  /** Runs an action that needs a recent confirmation of identity. Without one, prompts for it and then continues. */
  const runConfirmed = async (name: string, action: () => Promise<void>): Promise<void> => {
    setBusyAction(name)
    try {
      await action()
    } catch (error) {
      if (error instanceof CallError && error.reason === 'sudo') {
        setStep({ kind: 'identity', next: () => runConfirmed(name, action) })
      } else if (!isSessionExpired(error)) {
        setStep(null)
        void showToast('error', error instanceof CallError ? getAlertText(error) : getPasskeyErrorText(error))
      }
    }
    setBusyAction(null)
  }

  const callOptions = { shellFailures: 'ended-session' } as const
  const createKeyedOptions = () => ({ ...callOptions, idempotencyKey: createIdempotencyKey() })
  const setUpApp = () =>
    runConfirmed('app', async () => setStep({ kind: 'app', setUp: await call(startTotp, {}, createKeyedOptions()) }))
  const savePasskey = (name: string) =>
    runConfirmed('passkey', async () => {
      const { options } = await call(startPasskey, {}, callOptions)
      const { recovery_codes } = await call(
        addPasskey,
        { name, credential: await createPasskey(options) },
        createKeyedOptions(),
      )
      await finish('The passkey has been added.', recovery_codes)
    })
  const renewCodes = () =>
    runConfirmed('codes', async () => {
      const { recovery_codes } = await call(renewRecoveryCodes, {}, createKeyedOptions())
      await finish('Your old recovery codes no longer work.', recovery_codes)
    })
  const remove = ({ id }: Factor) =>
    runConfirmed('remove', async () => {
      const { message } = await call(removeFactor, { id }, callOptions)
      await finish(message, null)
    })

  const isAdmin = useIsAdmin()
  const close = () => setStep(null)
  const factors = data?.factors
  const hasApp = factors?.some(({ kind }) => kind === 'totp') === true
  const hasNoFactor = factors?.length === 0
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
        {hasNoFactor && (
          <p className={styles.lead}>
            Your password alone opens your account. With a second factor, a stolen password is not enough: logging in
            also takes a code from your phone or a passkey.
          </p>
        )}
        {factors !== undefined && factors.length > 0 && (
          <ul className={styles.factors}>
            {factors.map((factor) => (
              <FactorLine key={factor.id} factor={factor} renderedAt={dataUpdatedAt}>
                <Button tone="quiet" onClick={() => setStep({ kind: 'remove', factor, isLast: factors.length === 1 })}>
                  Remove<span className="visually-hidden"> {factor.name}</span>
                </Button>
              </FactorLine>
            ))}
            <CodesLine codesLeft={data?.recovery_codes_left ?? 0}>
              <Button tone="quiet" busy={busyAction === 'codes'} onClick={() => void renewCodes()}>
                Make new codes
              </Button>
            </CodesLine>
          </ul>
        )}
        {factors !== undefined && (
          <div className={layout.buttons}>
            <Button
              tone={hasNoFactor ? 'primary' : 'secondary'}
              busy={busyAction === 'app'}
              onClick={() => void setUpApp()}
            >
              {hasApp ? 'Move to another app' : 'Set up an app'}
            </Button>
            {offersPasskeys && (
              <Button tone="secondary" busy={busyAction === 'passkey'} onClick={() => setStep({ kind: 'passkey' })}>
                Add a passkey
              </Button>
            )}
            {isAdmin && !hasNoFactor && <ButtonLink to="/admin">Open the desk</ButtonLink>}
          </div>
        )}
      </div>
      <IdentityDialog
        user={user}
        open={step?.kind === 'identity'}
        onConfirmed={async () => {
          if (step?.kind === 'identity') await step.next()
        }}
        onClose={close}
      />
      <AppDialog
        setUp={step?.kind === 'app' ? step.setUp : null}
        hasApp={hasApp}
        onDone={({ recovery_codes }) => finish('Your app is set up.', recovery_codes)}
        onClose={close}
      />
      <PasskeyDialog
        open={step?.kind === 'passkey'}
        busy={busyAction === 'passkey'}
        onName={savePasskey}
        onClose={close}
      />
      <CodesDialog codes={step?.kind === 'codes' ? step.codes : null} userId={user.UserID} onClose={close} />
      <RemoveDialog
        removal={step?.kind === 'remove' ? step : null}
        busy={busyAction === 'remove'}
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
const WARN_BELOW_CODES = 3

function CodesLine({ codesLeft, children }: { codesLeft: number; children: ReactNode }) {
  return (
    <li>
      <div>
        <strong>Recovery codes</strong>
        {codesLeft < WARN_BELOW_CODES && (
          <span className={styles.warning}>{codesLeft === 0 ? 'None left' : `Only ${codesLeft} left`}</span>
        )}
      </div>
      <p>
        {codesLeft} of {RECOVERY_CODE_COUNT} are unused. Each of them works once instead of your second factor, for
        example when you have lost your phone.
      </p>
      {children}
    </li>
  )
}
