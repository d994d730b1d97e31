import { type FormEvent, useState } from 'react'
import { CAPSULE_TEXTS, type getCapsuleChances, setCapsuleLimit } from '#contract/capsules.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { useAttempt } from '#web/api/attempt.ts'
import { call, createIdempotencyKey } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import styles from './capsules.module.css'

type Limit = CallOutput<typeof getCapsuleChances>['limit']

const formatLimit = (draws: number | null) =>
  draws === null ? 'no limit' : formatPlural(draws, 'draw a day', 'draws a day')

/** Edits the daily limit that players can set for their draws (CAPSULE-2). */
export function DrawLimit({ limit, onChanged }: { limit: Limit; onChanged: () => Promise<void> }) {
  const [errorText, setErrorText] = useState<string | undefined>()
  const [busy, attempt] = useAttempt()
  const save = (draws: number | null) =>
    attempt(async () => {
      const { message } = await call(setCapsuleLimit, { draws }, { idempotencyKey: createIdempotencyKey() })
      void showToast('done', message)
      await onChanged()
    })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const input = String(new FormData(event.currentTarget).get('draws') ?? '').trim()
    const isValid = /^\d{1,4}$/.test(input) && Number(input) <= 1000
    setErrorText(isValid ? undefined : CAPSULE_TEXTS.limitRule)
    if (isValid) void save(Number(input))
    else event.currentTarget.querySelector('input')?.focus()
  }
  const { draws, later, today } = limit
  return (
    <Panel title="Your daily limit">
      <div className={`${layout.padded} ${layout.stack}`}>
        <p>
          You have <b>{formatLimit(draws)}</b>, and drew <b>{today === 1 ? 'once' : `${formatCount(today)} times`}</b>{' '}
          today.
          {later !== null && (
            <span>{` From ${formatManilaMinute(new Date(later.from))}, Manila time: ${formatLimit(later.draws)}.`}</span>
          )}
        </p>
        <form className={styles.limit} onSubmit={submit} noValidate>
          <TextField label="Draws a day" name="draws" inputMode="numeric" error={errorText} />
          <Button type="submit" tone="secondary" busy={busy}>
            Set my limit
          </Button>
          {draws !== null && later === null && (
            <Button tone="quiet" busy={busy} onClick={() => void save(null)}>
              No limit
            </Button>
          )}
        </form>
        <p className={text.quiet}>
          A lower limit applies at once. A higher limit, or no limit, applies after 24 hours. 0 means no draws.
        </p>
      </div>
    </Panel>
  )
}
