import { Icon } from '#web/ui/icon.tsx'
import styles from './search-dialog.module.css'
import { SUGGESTED_WORDS } from './suggestions.tsx'

type BoxStartProps = {
  recent: readonly string[]
  onChoose: (words: string) => void
  /** Whether the first answer is on its way. */
  isTyping: boolean
}

/** Before the first answer: the searches of this visit, and a few to begin with. */
export function BoxStart({ recent, onChoose, isTyping }: BoxStartProps) {
  if (isTyping) {
    return (
      <div className={styles.waiting} aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
    )
  }
  return (
    <>
      {recent.length > 0 && (
        <section className={styles.group} aria-label="Recent searches">
          <h2 className={styles.heading}>Recent searches</h2>
          {recent.map((words) => (
            <button type="button" className={styles.recent} key={words} onClick={() => onChoose(words)}>
              <Icon name="search" size={18} /> {words}
            </button>
          ))}
        </section>
      )}
      <Tries onChoose={onChoose} />
    </>
  )
}

/** A few searches to begin with, or to go on with. */
export function Tries({ onChoose }: Pick<BoxStartProps, 'onChoose'>) {
  return (
    <section className={styles.group} aria-label="Try">
      <h2 className={styles.heading}>Try</h2>
      <div className={styles.tries}>
        {SUGGESTED_WORDS.map((words) => (
          <button type="button" className={styles.try} key={words} onClick={() => onChoose(words)}>
            {words}
          </button>
        ))}
      </div>
    </section>
  )
}
