import { useRef, useState } from 'react'
import { useLoaded } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { siteQuery } from '#web/shell/shell-data.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { QuickAnswers } from './quick-answers.tsx'
import { SubmittedStub } from './submitted-stub.tsx'
import { TicketForm } from './ticket-form.tsx'
import styles from './ticket-page.module.css'
import type { Submitted } from './use-ticket-form.ts'

/** Submit a ticket (SPEC §2.1, §2.2), for everyone. */
export default function TicketPage() {
  const { data: site } = useLoaded(siteQuery())
  const [taken, setTaken] = useState<Submitted | null>(null)
  const place = useRef<HTMLDivElement>(null)
  // The link scrolls; the keyboard goes along.
  const startWriting = () => place.current?.querySelector('input')?.focus({ preventScroll: true })
  return (
    <>
      <PageHead
        crumb="Submit Ticket"
        title="Submit Ticket"
        lines={['Something broke, got lost or feels wrong?', 'Tell us. A person reads it and answers.']}
        actions={
          <>
            {taken === null && (
              <ButtonLink to="/ticket#write" onClick={startWriting}>
                Write a ticket
              </ButtonLink>
            )}
            <ButtonLink to="/checkticket" tone="secondary">
              Check My Ticket
            </ButtonLink>
          </>
        }
      />
      {taken === null && <QuickAnswers agentUrl={site?.agent_url ?? null} />}
      <div id="write" ref={place} className={styles.write}>
        {taken === null ? (
          <TicketForm onTaken={setTaken} />
        ) : (
          <SubmittedStub taken={taken} onAnother={() => setTaken(null)} />
        )}
      </div>
    </>
  )
}
