import styles from '#web/art/emblem.module.css'
import { Emblem } from '#web/art/emblem.tsx'
import type { GuideClass } from './classes/class-types.ts'

type ClassEmblemProps = { name: GuideClass; size: number; on?: boolean }

/** A class's emblem; the conductor's, a ticket on the rail, is drawn here and not in the sprite of every page. */
export function ClassEmblem({ name, size, on = false }: ClassEmblemProps) {
  if (name !== 'conductor') return <Emblem name={name} size={size} on={on} />
  return (
    <svg
      className={on ? styles.on : styles.off}
      width={size}
      height={size}
      viewBox="0 0 48 48"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeMiterlimit="6"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M11 19H37V27a3.5 3.5 0 0 0 0 7V42H11V34a3.5 3.5 0 0 0 0-7Z" style={{ fill: 'var(--emblem-fill)' }} />
      <path d="M5 8H43M24 8V19M17 8 21 19M31 8 27 19M18 30.5H30" />
    </svg>
  )
}
