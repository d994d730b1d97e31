import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './newcomer-panel.module.css'

const STEPS = [
  { to: '/downloads', word: 'Download the game', line: 'Full client, one file' },
  { to: '/register', word: 'Sign up', line: 'One account, three schools' },
  { to: '/characters', word: 'Pick a class', line: 'The quick guide for beginners' },
] as const

/** Three steps for whoever is here for the first time. */
export function NewcomerPanel() {
  return (
    <Panel title="First time here?" className={styles.panel}>
      <ol className={styles.steps}>
        {STEPS.map((step, index) => (
          <li key={step.to}>
            <Link to={step.to} className={styles.step}>
              <span className={styles.numeral} aria-hidden="true">
                {index + 1}
              </span>
              <span>
                <span className={styles.word}>{step.word}</span>
                <span className={styles.line}>{step.line}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
