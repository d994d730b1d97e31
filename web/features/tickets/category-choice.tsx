import type { UseFormRegisterReturn } from 'react-hook-form'
import { TICKET_CATEGORY_LABELS } from '#contract/ticket-messages.ts'
import { FieldErrorText } from '#web/features/account/field-error.tsx'
import styles from './category-choice.module.css'
import { WHAT_HELPS } from './quick-answers-content.ts'
import { CATEGORIES } from './ticket-rules.ts'

type Props = { chosen: string | null | undefined; error: string | undefined; input: UseFormRegisterReturn }

const ERROR_ID = 'ticket-category-error'

/** What a ticket is about, and what helps us with that. */
export function CategoryChoice({ chosen, error, input }: Props) {
  const known = CATEGORIES.find((category) => category === chosen)
  return (
    <fieldset className={styles.choice} aria-describedby={error === undefined ? undefined : ERROR_ID}>
      <legend className="visually-hidden">What is it about?</legend>
      <div className={styles.tiles}>
        {CATEGORIES.map((category) => (
          <label key={category} className={styles.tile} data-wrong={error !== undefined || undefined}>
            <input {...input} type="radio" value={category} className={styles.radio} />
            {TICKET_CATEGORY_LABELS[category]}
          </label>
        ))}
      </div>
      {error !== undefined && <FieldErrorText id={ERROR_ID}>{error}</FieldErrorText>}
      <p className={styles.helps} role="status">
        {known !== undefined && WHAT_HELPS[known]}
      </p>
    </fieldset>
  )
}
