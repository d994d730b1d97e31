import { useEffect, useRef, useState } from 'react'
import { useAgentUrl } from '#web/shell/agent-url.ts'
import { MoreLinks } from '#web/shell/more-links.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Signboard } from '#web/ui/signboard.tsx'
import { useArt } from '#web/ui/theme-art.ts'
import { getKeyPath, getTicketPath } from './check-ticket-view.ts'
import { type SubmittedTicket, TicketForm } from './ticket-form.tsx'
import styles from './ticket-page.module.css'

/** The page to submit a ticket (SUPPORT-1), for everyone. */
export default function TicketPage() {
  const agentUrl = useAgentUrl()
  const [submittedTicket, setSubmittedTicket] = useState<SubmittedTicket | null>(null)
  const container = useRef<HTMLDivElement>(null)
  return (
    <>
      <PageHead
        crumb="Submit Ticket"
        title="Submit Ticket"
        lines={['Something broke, got lost or feels wrong?', 'Tell us. A person reads it and answers.']}
        actions={
          <ButtonLink to="/checkticket" tone="secondary">
            Check My Ticket
          </ButtonLink>
        }
      />
      <div id="write" ref={container} className={styles.write}>
        {submittedTicket === null ? (
          <TicketForm onSubmitted={setSubmittedTicket} />
        ) : (
          <SubmittedStub submittedTicket={submittedTicket} onWriteAnother={() => setSubmittedTicket(null)} />
        )}
      </div>
      {submittedTicket === null && <QuickAnswers agentUrl={agentUrl} />}
    </>
  )
}

type QuickAnswer = {
  question: string
  answer: string
  to: string
  link: string
  /** Limits the answer to guests or players. */
  for?: 'guest' | 'player'
}

/** The most frequent questions, with links to their answers. */
const QUICK_ANSWERS: readonly QuickAnswer[] = [
  {
    question: 'I forgot my ID or password',
    answer: 'We email you your ID, or a link to set a new password.',
    to: '/findaccount',
    link: 'Find ID/PW',
    for: 'guest',
  },
  {
    question: 'I want a new password',
    answer: 'You need your current one and your secret answer.',
    to: '/changepassword',
    link: 'Change Password',
    for: 'player',
  },
  {
    question: 'My voucher does not work',
    answer: 'Each code works once, and every letter counts. Paste it whole.',
    to: '/topup',
    link: 'Top Up R-Coin',
  },
  {
    question: 'I paid. Where is it?',
    answer: 'Each purchase shows how far it is on its way to your item bank.',
    to: '/shoppurchases',
    link: 'Purchase History',
  },
  {
    question: 'The game will not start',
    answer: 'What your computer needs, and the client to download again.',
    to: '/downloads',
    link: 'Game Download',
  },
  {
    question: 'Is that allowed?',
    answer: 'The rules say what ends an account and what does not.',
    to: '/operationpolicy',
    link: 'Operation Policy',
  },
  {
    question: 'How does this work?',
    answer: 'Keys, mouse, chat and every window, one by one.',
    to: '/instructions',
    link: 'Instructions',
  },
]

/** Links to answers, and to the operators' messenger if there is one (SUPPORT-1). */
function QuickAnswers({ agentUrl }: { agentUrl: string | null }) {
  return (
    <Panel title="Quick answers">
      <ul className={styles.answers}>
        {QUICK_ANSWERS.map(({ question, answer, to, link, for: visitorKind }) => (
          <li key={to} data-for={visitorKind}>
            <Link to={to} className={styles.answer}>
              <strong>{question}</strong>
              <span>{answer}</span>
              <span className={styles.link}>
                <CurrencyText>{link}</CurrencyText>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {agentUrl !== null && (
        <div className={layout.padded}>
          <Signboard
            to={agentUrl}
            tone="blue"
            icon={<ChatMark />}
            title="Talk to an Agent"
            line="Opens our chat in a new tab"
          />
        </div>
      )}
      <MoreLinks className={layout.padded} />
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

type StubProps = { submittedTicket: SubmittedTicket; onWriteAnother: () => void }

/** The stub of a submitted ticket with its number and the next steps. */
function SubmittedStub({ submittedTicket, onWriteAnother }: StubProps) {
  const { message, number, key, subject, email } = submittedTicket
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <section className={styles.stub} data-surface="paper" aria-labelledby="taken">
      <div className={styles.stubTicket}>
        <p className={styles.label}>Your ticket number</p>
        <p className={styles.number}>{number}</p>
        <p className={styles.subject}>{subject}</p>
        <img src={useArt('/art/registrar-window.svg')} alt="" width="480" height="260" className={styles.picture} />
      </div>
      <div className={styles.nextSteps}>
        <h2 id="taken" ref={heading} tabIndex={-1} className={styles.title}>
          {message}
        </h2>
        <ol className={styles.steps}>
          <li>
            <span>A person reads it. We answer tickets in the order they come in.</span>
          </li>
          {key === null ? (
            <li>
              <span>
                You will find the answer under Check My Ticket, and we email{' '}
                {email === '' ? 'you' : <strong>{email}</strong>} when it is there.
              </span>
            </li>
          ) : (
            <li>
              <span>
                An email with a link is on its way to <strong>{email}</strong>. The link opens this conversation without
                an account, so keep it to yourself. Not there? Check your spam folder too.
              </span>
            </li>
          )}
          <li>
            <span>You can add to it at any time. A reply reopens a closed ticket.</span>
          </li>
        </ol>
        <div className={`${layout.buttons} ${styles.actions}`}>
          <ButtonLink to={key === null ? getTicketPath(number) : getKeyPath(key)} tone="paper" size="lg">
            Open the conversation
          </ButtonLink>
          <Button tone="secondary" size="lg" onClick={onWriteAnother}>
            Write another
          </Button>
        </div>
      </div>
    </section>
  )
}
