import type { Ticket, TicketMessage } from '#contract/tickets.ts'
import { LogoMark } from '#web/art/marks.tsx'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { withLinks } from './auto-links.ts'
import styles from './messages.module.css'
import type { Access } from './queries.ts'
import { Screenshots } from './screenshots.tsx'

type Props = { ticket: Ticket; access: Access; userNum: number; shownAt: number }

/** Everything written, oldest first: the player on paper, support on ink. What comes in is read out. */
export function Messages({ ticket, ...how }: Props) {
  return (
    <div role="log" aria-label="Conversation">
      <ol className={styles.messages}>
        {ticket.conversation.map((message) => (
          <Message key={message.id} message={message} {...how} />
        ))}
      </ol>
    </div>
  )
}

function Message({ message, access, userNum, shownAt }: Omit<Props, 'ticket'> & { message: TicketMessage }) {
  const isSupport = message.from === 'support'
  return (
    <li
      className={`${styles.message} ${isSupport ? styles.support : styles.own}`}
      data-surface={isSupport ? undefined : 'paper'}
    >
      <div className={styles.head}>
        {isSupport && <LogoMark size={26} />}
        <strong className={styles.author}>{isSupport ? (message.author ?? 'Support') : 'You'}</strong>
        {isSupport && message.author !== null && <span className={styles.plate}>Support</span>}
        <span className={styles.when}>
          <RelativeTime iso={message.created_at} renderedAt={shownAt} />
        </span>
      </div>
      <MessageText text={message.message} />
      {message.screenshots.length > 0 && (
        <Screenshots screenshots={message.screenshots} access={access} userNum={userNum} />
      )}
    </li>
  )
}

/** Plain text with its line breaks; web addresses lead away in a new tab and carry nothing along. */
function MessageText({ text }: { text: string }) {
  return (
    <p className={styles.text}>
      {withLinks(text).map(({ text: part, href }, index) =>
        href === undefined ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text that never changes
          <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
            {part}
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        ),
      )}
    </p>
  )
}
