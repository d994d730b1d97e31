import type { ReactNode } from 'react'
import styles from './switch.module.css'

type SwitchProps = {
  isOn: boolean
  /** Whether the state is loading or being saved. */
  isWaiting: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}

/** A switch for a setting that applies at once. */
export function Switch({ isOn, isWaiting, onChange, children }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-disabled={isWaiting}
      className={styles.switch}
      onClick={() => {
        if (!isWaiting) onChange(!isOn)
      }}
    >
      {children}
      <span className={styles.track} aria-hidden="true" />
    </button>
  )
}
