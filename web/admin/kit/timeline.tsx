import type { ReactNode } from 'react'
import { formatCount } from '#contract/numbers.ts'
import { PERMISSIONS, type Permission } from '#contract/permissions.ts'
import { useCurrencyText } from '#web/ui/currency-names.ts'
import text from '#web/ui/text.module.css'
import deskLayout from './desk-layout.module.css'
import { formatManilaTime, When } from './facts.tsx'
import styles from './timeline.module.css'

/** A changed field. `before` is missing if the field had no value, `after` if it has none now. */
export type Difference = { field: string; before?: unknown; after?: unknown }

export type TimelineEntry = {
  key: string | number
  /** An ISO date. */
  at: string
  /** The actor: a `PlayerLink`, or the name of a command or job. */
  actor?: ReactNode
  /** The event in a few words. */
  event: ReactNode
  changes?: readonly Difference[]
  /** The actor's comment. */
  reason?: string
  /** `staff` distinguishes the staff's actions from the player's. */
  kind?: 'staff' | 'player' | 'site'
}

/** Lists events, newest first, with their actors, times and differences. */
export function Timeline({ entries, label }: { entries: readonly TimelineEntry[]; label: string }) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {entries.map(({ key, at, actor, event, changes = [], reason = '', kind = 'staff' }) => (
        <li key={key} data-kind={kind}>
          <div className={styles.line}>
            <p>
              {actor !== undefined && <b>{actor}</b>} {event}
            </p>
            <span className={deskLayout.faint}>
              <When at={at} />
            </span>
          </div>
          {reason !== '' && <p className={text.quiet}>“{reason}”</p>}
          {changes.length > 0 && <Differences changes={changes} />}
        </li>
      ))}
    </ol>
  )
}

const EMPTY_TEXT = '—'
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** Formats a value of the audit log. */
export function formatAuditValue(value: unknown): string {
  if (isEmpty(value)) return EMPTY_TEXT
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(formatAuditValue).join(', ')
  if (typeof value === 'number') return formatCount(value)
  if (typeof value === 'string' && ISO_TIME.test(value)) return formatManilaTime(new Date(value))
  if (typeof value === 'string' && value in PERMISSIONS) return PERMISSIONS[value as Permission].text
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Describes the change of a number, such as "+10,000, now 60,000". */
function describeNumberChange(before: number, after: number): string {
  const step = after - before
  return `${step < 0 ? '−' : '+'}${formatCount(Math.abs(step))}, now ${formatCount(after)}`
}

/**
 * Matches amounts of money, such as '240 R-Coin and 90 Milleage'. Only in these do the operators' names replace those of
 * the currencies, because other values, such as names of settings, must stay as they are.
 */
const AMOUNT_PATTERN = /^(\w+ )?[\d,]+ (R-Coin|Milleage)( and [\d,]+ Milleage)?$/

/** Lists fields with their old and new values. */
export function Differences({ changes }: { changes: readonly Difference[] }) {
  const renameCurrencies = useCurrencyText()
  const formatValue = (value: unknown) => {
    const text = formatAuditValue(value)
    return AMOUNT_PATTERN.test(text) ? renameCurrencies(text) : text
  }
  return (
    <dl className={styles.changes}>
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{renameCurrencies(change.field.replaceAll('_', ' '))}</dt>
          <dd>
            {!('before' in change) && !('after' in change) ? (
              <span className={styles.hidden}>changed; the value was personal and has been deleted</span>
            ) : typeof change.before === 'number' && typeof change.after === 'number' ? (
              <ins>{describeNumberChange(change.before, change.after)}</ins>
            ) : (
              <>
                {!isEmpty(change.before) && (
                  <>
                    <del>{formatValue(change.before)}</del>
                    {'after' in change && <span aria-hidden="true"> → </span>}
                  </>
                )}
                {'after' in change && <ins>{formatValue(change.after)}</ins>}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
