import styles from './stepper.module.css'

type StepperProps = {
  /** What is counted, for screen readers. */
  what: string
  quantity: number
  /** Why there can be no more of it. */
  full: string | undefined
  onStep: (step: 1 | -1) => void
}

/** Minus, the quantity and plus; the quantity is read out when it changes. */
export function Stepper({ what, quantity, full, onStep }: StepperProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is not shown
    <div className={styles.stepper} role="group" aria-label={`Quantity of ${what}`}>
      <button type="button" className={styles.step} onClick={() => onStep(-1)}>
        <span className="visually-hidden">{quantity === 1 ? `Remove ${what}` : `One less of ${what}`}</span>
        <Sign d="M4 12h16" />
      </button>
      <span className={styles.quantity} aria-live="polite">
        {quantity}
      </span>
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

function Sign({ d }: { d: string }) {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" stroke="currentColor" strokeWidth="3.4" aria-hidden="true">
      <path d={d} />
    </svg>
  )
}
