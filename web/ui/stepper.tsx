import { useState } from 'react'
import styles from './stepper.module.css'

type StepperProps = {
  /** The name of the counted thing, for screen readers. */
  what: string
  quantity: number
  /** The message when the quantity is at its maximum, otherwise undefined. */
  full: string | undefined
  onStep: (step: 1 | -1) => void
  className?: string | undefined
} & (
  | { /** The effect of one less than 1, such as 'Remove'. */ below: string }
  | {
      /** Receives a typed number. Without `below` the quantity is at least 1. */ onType: (quantity: number) => void
    }
)

/**
 * Buttons for less and more with the quantity between them, as text that is announced when it changes or as a field.
 */
export function Stepper({ what, quantity, full, onStep, className, ...more }: StepperProps) {
  const isLeast = 'onType' in more && quantity <= 1
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is not shown
    <div
      className={[styles.stepper, className].filter(Boolean).join(' ')}
      role="group"
      aria-label={`Quantity of ${what}`}
    >
      <button
        type="button"
        className={styles.step}
        onClick={() => !isLeast && onStep(-1)}
        aria-disabled={isLeast || undefined}
      >
        <span className="visually-hidden">
          {'below' in more && quantity === 1 ? `${more.below} ${what}` : `One less of ${what}`}
        </span>
        <Sign d="M4 12h16" />
      </button>
      {'onType' in more ? (
        <QuantityInput quantity={quantity} onType={more.onType} />
      ) : (
        <span className={styles.quantity} aria-live="polite" translate="no">
          {quantity}
        </span>
      )}
      <button
        type="button"
        className={styles.step}
        onClick={() => full === undefined && onStep(1)}
        aria-disabled={full !== undefined || undefined}
        title={full}
      >
        <span className="visually-hidden">One more of {what}</span>
        <Sign d="M4 12h16M12 4v16" />
      </button>
    </div>
  )
}

/** The field may be empty while the player types. When it loses the focus, it shows the effective quantity. */
function QuantityInput({ quantity, onType }: { quantity: number; onType: (quantity: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      className={styles.quantity}
      type="number"
      inputMode="numeric"
      min={1}
      aria-label="Quantity"
      value={typed ?? quantity}
      onFocus={({ target }) => target.select()}
      onBlur={() => setTyped(null)}
      onChange={({ target }) => {
        setTyped(target.value)
        if (/^\d+$/.test(target.value)) onType(Number(target.value))
      }}
    />
  )
}

function Sign({ d }: { d: string }) {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" stroke="currentColor" strokeWidth="3.4" aria-hidden="true">
      <path d={d} />
    </svg>
  )
}
