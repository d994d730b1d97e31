import { useState } from 'react'
import styles from './stepper.module.css'

type StepperProps = {
  /** The name of the counted thing, for screen readers. */
  what: string
  quantity: number
  /** The message when the quantity is at its maximum, otherwise undefined. */
  fullMessage: string | undefined
  onStep: (step: 1 | -1) => void
  className?: string | undefined
} & (
  | { /** The label of the decrease button at a quantity of 1, such as 'Remove'. */ removeLabel: string }
  | {
      /** Receives a typed whole number, which can be 0 or exceed the maximum. */ onType: (quantity: number) => void
    }
)

/**
 * Buttons that decrease and increase a quantity. The quantity between them is a field if there is `onType`, otherwise a
 * text that screen readers announce when it changes.
 */
export function Stepper({ what, quantity, fullMessage, onStep, className, ...control }: StepperProps) {
  const isMinimum = 'onType' in control && quantity <= 1
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
        onClick={() => !isMinimum && onStep(-1)}
        aria-disabled={isMinimum || undefined}
      >
        <span className="visually-hidden">
          {'removeLabel' in control && quantity === 1 ? `${control.removeLabel} ${what}` : `One less of ${what}`}
        </span>
        <StepIcon d="M4 12h16" />
      </button>
      {'onType' in control ? (
        <QuantityInput quantity={quantity} onType={control.onType} />
      ) : (
        <span className={styles.quantity} aria-live="polite" translate="no">
          {quantity}
        </span>
      )}
      <button
        type="button"
        className={styles.step}
        onClick={() => fullMessage === undefined && onStep(1)}
        aria-disabled={fullMessage !== undefined || undefined}
        title={fullMessage}
      >
        <span className="visually-hidden">One more of {what}</span>
        <StepIcon d="M4 12h16M12 4v16" />
      </button>
    </div>
  )
}

/** A field that may be empty while the player types. When it loses the focus, it shows the current quantity. */
function QuantityInput({ quantity, onType }: { quantity: number; onType: (quantity: number) => void }) {
  const [typedText, setTypedText] = useState<string | null>(null)
  return (
    <input
      className={styles.quantity}
      type="number"
      inputMode="numeric"
      min={1}
      aria-label="Quantity"
      value={typedText ?? quantity}
      onFocus={({ target }) => target.select()}
      onBlur={() => setTypedText(null)}
      onChange={({ target }) => {
        setTypedText(target.value)
        if (/^\d+$/.test(target.value)) onType(Number(target.value))
      }}
    />
  )
}

function StepIcon({ d }: { d: string }) {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" stroke="currentColor" strokeWidth="3.4" aria-hidden="true">
      <path d={d} />
    </svg>
  )
}
