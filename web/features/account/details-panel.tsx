import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { User } from '#contract/accounts.ts'
import { type SessionUser, useIsAdmin } from '#web/api/session.ts'
import { formatDay } from '#web/features/news/relative-time.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { DetailsForm } from './details-form.tsx'
import styles from './facts.module.css'
import { LoadFailed } from './load-failed.tsx'
import { maskEmail } from './mask-email.ts'
import { accountQuery } from './queries.ts'

/** Account Information (SPEC §2.5): what is known about the player, and the form to change it. */
export function DetailsPanel({ user }: { user: SessionUser }) {
  const { data, isError, refetch } = useQuery(accountQuery(user.UserNum))
  const [editing, setEditing] = useState(false)
  const buttons = useRef<HTMLDivElement>(null)
  const stopEditing = () => {
    flushSync(() => setEditing(false))
    buttons.current?.querySelector('button')?.focus()
  }
  return (
    <Panel index={3} title="Account Information">
      <div className={styles.body}>
        {isError && data === undefined && <LoadFailed onRetry={() => void refetch()} />}
        {editing && data !== undefined ? (
          <DetailsForm user={user} account={data} onCancel={stopEditing} />
        ) : (
          !(isError && data === undefined) && (
            <>
              <Facts user={user} account={data} />
              <div className={styles.buttons} ref={buttons}>
                <Button tone="secondary" disabled={data === undefined} onClick={() => setEditing(true)}>
                  Edit details
                </Button>
                <ButtonLink to="/changepassword" tone="secondary">
                  Change Password
                </ButtonLink>
              </div>
            </>
          )
        )}
      </div>
    </Panel>
  )
}

function Facts({ user, account }: { user: SessionUser; account: User | undefined }) {
  const isAdmin = useIsAdmin()
  const wait = <Skeleton width={140} height={24} />
  return (
    <dl className={styles.facts}>
      <Fact name="User ID">{user.UserID}</Fact>
      <Fact name="Name">{account === undefined ? wait : `${account.NameFirst} ${account.NameLast}`.trim() || '–'}</Fact>
      <Fact name="Email">{account === undefined ? wait : maskEmail(account.UserEmail)}</Fact>
      <Fact name="Email verified">{account === undefined ? wait : <Verified at={account.email_verified_at} />}</Fact>
      <Fact name="Phone Number">{account === undefined ? wait : account.PhoneNumber || '–'}</Fact>
      {isAdmin && <Fact name="Account type">Admin</Fact>}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Verified({ at }: { at: string | null }) {
  if (at === null) return <span className={styles.open}>Not yet: please open the link in our mail</span>
  return <span className={styles.good}>Since {formatDay(at).day}</span>
}
