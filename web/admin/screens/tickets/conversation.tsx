import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getDeskScreenshot, type getDeskTicket } from '#contract/desk-tickets.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { MINE } from '#web/api/queries.ts'
import { Panel } from '#web/ui/panel.tsx'
import { deskCall } from '../../kit/call.ts'
import { When } from '../../kit/facts.tsx'
import looks from '../../kit/looks.module.css'
import styles from './tickets.module.css'

type Ticket = CallOutput<typeof getDeskTicket>['ticket']
type Screenshot = Ticket['conversation'][number]['screenshots'][number]

/** What was written, the oldest first. */
export function Conversation({ ticket }: { ticket: Ticket }) {
  return (
    <Panel title={ticket.messages === 1 ? '1 message' : `${ticket.messages} messages`}>
      <ol className={styles.conversation}>
        {ticket.conversation.map(({ id, from, author, message, created_at, screenshots }) => (
          <li key={id} data-from={from}>
            <p className={styles.by}>
              <b>{author ?? ticket.requester}</b>{' '}
              <span className={looks.faint}>
                <When at={created_at} show="both" />
              </span>
            </p>
            <p className={looks.withBreaks}>{message}</p>
            <div className={looks.badges}>
              {screenshots.map((screenshot, nth) => (
                <Picture
                  key={screenshot.id}
                  number={ticket.number}
                  screenshot={screenshot}
                  name={`Picture ${nth + 1} of message ${id}`}
                />
              ))}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** A picture of a message. It is fetched with the token, so its address means nothing to anybody else. */
function Picture({ number, screenshot, name }: { number: string; screenshot: Screenshot; name: string }) {
  const { data } = useQuery({
    queryKey: [MINE, getDeskScreenshot.path, screenshot.id],
    queryFn: () => deskCall(getDeskScreenshot, { number, screenshot: screenshot.id }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (data === undefined) return
    const made = URL.createObjectURL(data)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  const picture = <img src={address ?? undefined} alt={name} width={screenshot.width} height={screenshot.height} />
  return address === null ? (
    <span className={styles.picture} />
  ) : (
    <a href={address} target="_blank" rel="noopener" className={styles.picture}>
      {picture}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}
