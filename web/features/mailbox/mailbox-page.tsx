import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatGift } from '#contract/gifts.ts'
import {
  deleteLetter,
  getLetters,
  getUnreadLetters,
  LETTER_KINDS,
  MAILBOX_TEXTS,
  openLetter,
  readAllLetters,
} from '#contract/mailbox.ts'
import { alertFailure, attempt } from '#web/api/attempt.ts'
import { call, isNotFoundError } from '#web/api/call.ts'
import { useHydrated, usePageSearch, useRenderedAt } from '#web/api/page.ts'
import { toKeyPrefix, toQueryKey, useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import { GiftBox } from './gift-box.tsx'
import styles from './mailbox-page.module.css'
import { MailboxSettings } from './mailbox-settings.tsx'
import { getLetterPath, letterSearch } from './mailbox-view.ts'

/** A player's mail box: the list of letters, or the letter in the address. Its HTML is the same for every visitor. */
export default function MailboxPage() {
  const userNum = useSession()?.user.UserNum ?? 0
  const { letter } = usePageSearch(letterSearch)
  const requestedLetter = useHydrated() ? letter : null
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.account]}
        crumb={MAILBOX_TEXTS.title}
        title={MAILBOX_TEXTS.title}
        lines={[MAILBOX_TEXTS.line]}
      />
      <div className={layout.stack}>
        {userNum === 0 ? (
          <Panel title="Letters">
            <LettersSkeleton />
          </Panel>
        ) : requestedLetter === null ? (
          <>
            <LetterList />
            <MailboxSettings />
          </>
        ) : (
          <LetterSheet key={requestedLetter} letter={requestedLetter} />
        )}
      </div>
    </>
  )
}

const SKELETON_ROWS = 6

function LettersSkeleton() {
  return (
    <Loading rows={SKELETON_ROWS}>
      <div className={styles.skeletonRow}>
        <Skeleton width={90} height={18} />
        <Skeleton width="60%" height={22} />
      </div>
    </Loading>
  )
}

function LoadFailure({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        title={title}
        line="Check your connection and try again."
        action={<Button onClick={onRetry}>Try again</Button>}
      />
    </div>
  )
}

type Letters = CallOutput<typeof getLetters>

/** Returns a function that updates the number of unread letters for the icon in the shell. */
function useSetUnread() {
  const queries = useQueryClient()
  return (unreadCount: number) => queries.setQueryData(toQueryKey(getUnreadLetters, {}), { unread: unreadCount })
}

function LetterList() {
  const names = useCurrencyNames()
  const renderedAt = useRenderedAt()
  const queries = useQueryClient()
  const setUnread = useSetUnread()
  const letterPages = useInfiniteQuery({
    queryKey: [...toKeyPrefix(getLetters), 'pages'],
    queryFn: ({ pageParam, signal }) => call(getLetters, { after: pageParam }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page: Letters) => page.next,
    staleTime: 0,
    refetchOnWindowFocus: true,
    retry: false,
  })
  const unreadCount = letterPages.data?.pages[0]?.unread
  useEffect(() => {
    if (unreadCount !== undefined) setUnread(unreadCount)
  })
  const letters = letterPages.data?.pages.flatMap((page) => page.letters)
  const markAllRead = () =>
    attempt(async () => {
      const answer = await call(readAllLetters, {})
      setUnread(answer.unread)
      showToast('done', answer.message)
      await queries.invalidateQueries({ queryKey: toKeyPrefix(getLetters) })
    })
  return (
    <Panel
      title="Letters"
      actions={
        unreadCount !== undefined && unreadCount > 0 ? (
          <Button tone="quiet" onClick={() => void markAllRead()}>
            Mark all as read
          </Button>
        ) : undefined
      }
    >
      {letters === undefined && !letterPages.isError && <LettersSkeleton />}
      {letters === undefined && letterPages.isError && (
        <LoadFailure title={MAILBOX_TEXTS.failed} onRetry={() => void letterPages.refetch()} />
      )}
      {letters?.length === 0 && (
        <EmptyState
          title={MAILBOX_TEXTS.empty}
          line={MAILBOX_TEXTS.emptyLine}
          action={<ButtonLink to="/news">Read the news</ButtonLink>}
        />
      )}
      {letters !== undefined && letters.length > 0 && (
        <ul className={`${layout.rows} ${styles.letters}`}>
          {letters.map(({ letter, kind, subject, sent_at, read, gift }) => (
            <li key={letter} className={read ? styles.readLetter : styles.unreadLetter}>
              <Link to={getLetterPath(letter)}>
                <span className={styles.kind}>{LETTER_KINDS[kind]}</span>
                <span className={styles.subject}>
                  {!read && <span className="visually-hidden">Unread: </span>}
                  {subject}
                </span>
                {gift !== null && (
                  <span className={gift.state === 'open' ? styles.giftMark : styles.endedGift}>
                    {gift.state === 'open'
                      ? `Gift: ${formatGift(gift, names)}`
                      : gift.state === 'claimed'
                        ? 'Claimed'
                        : 'Gift ended'}
                  </span>
                )}
                <span className={styles.time}>
                  <RelativeTime iso={sent_at} renderedAt={renderedAt} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {letterPages.hasNextPage && (
        <div className={styles.moreButton}>
          <Button
            tone="secondary"
            busy={letterPages.isFetchingNextPage}
            onClick={() => void letterPages.fetchNextPage()}
          >
            Older letters
          </Button>
        </div>
      )}
    </Panel>
  )
}

function LetterSheet({ letter }: { letter: number }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const setUnread = useSetUnread()
  const renderedAt = useRenderedAt()
  const [busy, setBusy] = useState(false)
  const { data, error, refetch } = useCall(
    openLetter,
    { letter },
    { staleTime: Number.POSITIVE_INFINITY, retry: false },
  )
  useEffect(() => {
    if (data === undefined) return
    setUnread(data.unread)
    void queries.invalidateQueries({ queryKey: toKeyPrefix(getLetters) })
  }, [data, setUnread, queries.invalidateQueries])
  const remove = async () => {
    setBusy(true)
    try {
      const answer = await call(deleteLetter, { letter })
      setUnread(answer.unread)
      showToast('done', answer.message)
      await navigate('/mailbox')
    } catch (failure) {
      alertFailure(failure)
      setBusy(false)
    }
  }
  const isNotFound = isNotFoundError(error)
  return (
    <>
      <Link to="/mailbox" className={styles.back}>
        All letters
      </Link>
      {isNotFound && (
        <Panel title="Letter">
          <EmptyState
            title={MAILBOX_TEXTS.letterNotFound}
            action={<ButtonLink to="/mailbox">All letters</ButtonLink>}
          />
        </Panel>
      )}
      {error !== null && !isNotFound && (
        <Panel title="Letter">
          <LoadFailure title={MAILBOX_TEXTS.failed} onRetry={() => void refetch()} />
        </Panel>
      )}
      {data === undefined && error === null && (
        <Panel title="Letter">
          <LettersSkeleton />
        </Panel>
      )}
      {data !== undefined && (
        <article className={styles.sheet} data-surface="paper">
          <header>
            <p className={styles.kind}>{LETTER_KINDS[data.letter.kind]}</p>
            <h2>{data.letter.subject}</h2>
            <p className={styles.time}>
              <RelativeTime iso={data.letter.sent_at} renderedAt={renderedAt} />
            </p>
          </header>
          <div className={`${layout.stack} ${styles.body}`}>
            {data.letter.body.split(/\n{2,}/).map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
          {data.letter.gift !== null && (
            <GiftBox
              letter={letter}
              gift={data.letter.gift}
              onChanged={async () => {
                await refetch()
                await queries.invalidateQueries({ queryKey: toKeyPrefix(getLetters) })
              }}
            />
          )}
          <div className={layout.buttons}>
            {data.letter.link !== '' && (
              <ButtonLink to={data.letter.link} tone="paper">
                Open
              </ButtonLink>
            )}
            {!(data.letter.gift?.own && data.letter.gift.state === 'open') && (
              <Button tone="secondary" busy={busy} onClick={() => void remove()}>
                Delete
              </Button>
            )}
          </div>
        </article>
      )}
    </>
  )
}
