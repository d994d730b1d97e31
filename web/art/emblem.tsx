import type { EmblemName } from '#contract/theme-shapes.ts'
import styles from './emblem.module.css'

interface EmblemProps {
  readonly name: EmblemName
  /** Side length of the square in px, designed for 22 to 64. */
  readonly size: number
  /** Whether the class is selected or is a character's class: light lines, filled with the signal color. */
  readonly isOn?: boolean
  /** The class's name. Set it if no text next to the emblem names the class. */
  readonly label?: string
}

/** A class emblem in one of its two states (LOOK-4). Needs `ArtSprite` on the page. */
export function Emblem({ name, size, isOn = false, label }: EmblemProps) {
  const className = isOn ? styles.on : styles.off
  const picture = <use href={`#emblem-${name}`} />
  if (label === undefined) {
    return (
      <svg aria-hidden="true" className={className} width={size} height={size} focusable="false">
        {picture}
      </svg>
    )
  }
  return (
    <svg role="img" aria-label={label} className={className} width={size} height={size} focusable="false">
      {picture}
    </svg>
  )
}
