import type { ReactNode } from 'react'
import styles from './effect.module.css'
import { PlayerLink } from './facts.tsx'
import { valueText } from './timeline.tsx'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a call would do, as the server resolved it: every field under its name, and accounts as links. */
export function Effect({ effect }: { effect: Fields }) {
  const { account, user_id, ...fields } = effect
  return (
    <dl className={styles.effect}>
      {typeof account === 'number' && (
        <div>
          <dt>Account</dt>
          <dd>
            <PlayerLink userNum={account} userId={typeof user_id === 'string' ? user_id : `No. ${account}`} />
          </dd>
        </div>
      )}
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>{show(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function show(value: unknown): ReactNode {
  if (isFields(value)) return <Effect effect={value} />
  if (!Array.isArray(value) || value.length === 0) return valueText(value)
  return (
    <ul>
      {value.map((one: unknown) => (
        <li key={JSON.stringify(one)}>{isFields(one) ? <Effect effect={one} /> : valueText(one)}</li>
      ))}
    </ul>
  )
}
