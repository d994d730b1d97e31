import { useEffect, useRef } from 'react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import styles from './submitted-stub.module.css'
import { keyPath, ticketPath } from './ticket-address.ts'
import type { Submitted } from './use-ticket-form.ts'

type Props = { taken: Submitted; onAnother: () => void }

/** The claim stub of a ticket that was taken: its number, and what happens next. */
export function SubmittedStub({ taken, onAnother }: Props) {
  const { message, number, key, subject, email } = taken
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <section className={styles.stub} data-surface="paper" aria-labelledby="taken">
      <div className={styles.claim}>
        <p className={styles.label}>Your ticket number</p>
        <p className={styles.number}>{number}</p>
        <p className={styles.subject}>{subject}</p>
        <img src="/art/registrar-window.svg" alt="" width="480" height="260" className={styles.picture} />
      </div>
      <div className={styles.next}>
        <h2 id="taken" ref={heading} tabIndex={-1} className={styles.title}>
          {message}
        </h2>
        <ol className={styles.steps}>
          <li>
            <span>A person reads it. Tickets are taken in the order they come in.</span>
          </li>
          {key === null ? (
            <li>
              <span>
                The answer stands under Check My Ticket, and we mail {email === '' ? 'you' : <strong>{email}</strong>}{' '}
                when it is there.
              </span>
            </li>
          ) : (
            <li>
              <span>
                A mail with a link is on its way to <strong>{email}</strong>. The link opens this conversation without
                an account, so keep it to yourself. Not there? Look into the spam folder too.
              </span>
            </li>
          )}
          <li>
            <span>You can add to it at any time. A closed ticket opens again when you reply.</span>
          </li>
        </ol>
        <div className={styles.actions}>
          <ButtonLink to={key === null ? ticketPath(number) : keyPath(key)} tone="paper" size="lg">
            Open the conversation
          </ButtonLink>
          <Button tone="secondary" size="lg" onClick={onAnother}>
            Write another
          </Button>
        </div>
      </div>
    </section>
  )
}
