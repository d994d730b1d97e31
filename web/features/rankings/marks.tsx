import { type ClassName, formatClass, type School } from '#contract/game.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import styles from './marks.module.css'

const UNKNOWN_LABEL = 'Unknown'

/** A class's emblem and name. An unknown code gets a neutral mark. */
export function ClassMark({ name }: { name: ClassName | undefined }) {
  const label = name ? formatClass(name) : UNKNOWN_LABEL
  return (
    <span className={styles.mark} title={label}>
      {name ? <Emblem name={name} size={26} isOn /> : <NeutralMark />}
      <span className={styles.label} data-word>
        {label}
      </span>
    </span>
  )
}

/** A school's crest and its name. */
export function SchoolMark({ school }: { school: School | undefined }) {
  const label = school?.name ?? UNKNOWN_LABEL
  return (
    <span className={styles.mark} title={label}>
      {school ? <Crest school={school.code} size={26} /> : <NeutralMark />}
      <span className={styles.schoolLabel} data-word>
        {label}
      </span>
    </span>
  )
}

/** The placeholder for an unknown class or school. */
function NeutralMark() {
  return (
    <svg className={styles.neutral} width="26" height="26" viewBox="0 0 48 48" aria-hidden="true">
      <path d="M24 6 42 24 24 42 6 24Z" strokeDasharray="6 4.5" />
      <path d="M18 24H30" />
    </svg>
  )
}
