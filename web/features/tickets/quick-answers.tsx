import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Signboard } from '#web/ui/signboard.tsx'
import styles from './quick-answers.module.css'
import { QUICK_ANSWERS } from './quick-answers-content.ts'

/** Where most questions are answered at once, and the operator's messenger when there is one (SPEC §2.2). */
export function QuickAnswers({ agentUrl }: { agentUrl: string | null }) {
  return (
    <Panel index={1} title="Quick answers first">
      <ul className={styles.answers}>
        {QUICK_ANSWERS.map(({ question, answer, to, link, for: whom }) => (
          <li key={to} data-for={whom}>
            <Link to={to} className={styles.answer} prefetch="intent">
              <strong>{question}</strong>
              <span>{answer}</span>
              <span className={styles.link}>{link}</span>
            </Link>
          </li>
        ))}
      </ul>
      {agentUrl !== null && (
        <div className={styles.agent}>
          <Signboard
            to={agentUrl}
            tone="blue"
            icon={<ChatMark />}
            title="Talk to an Agent"
            line="Opens our chat in a new tab"
          />
        </div>
      )}
    </Panel>
  )
}

function ChatMark() {
  return (
    <svg width="40" height="40" viewBox="0 0 40 40" fill="none" stroke="currentColor" strokeWidth="3" aria-hidden>
      <path d="M4 6h32v22H20l-9 8v-8H4ZM11 14h18M11 20.5h11" />
    </svg>
  )
}
