import type { ReactNode } from 'react'
import { useRouteError } from 'react-router'
import type { StaffAccess } from '#contract/endpoint.ts'
import { PERMISSIONS } from '#contract/permissions.ts'
import { CallError, getAlertText } from '#web/api/call.ts'
import { LogoMark } from '#web/art/marks.tsx'
import { Pinstripe } from '#web/art/pinstripe.tsx'
import { ArtSprite } from '#web/art/symbols.tsx'
import button from '#web/ui/button.module.css'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { useTitle } from './kit/screen.tsx'
import styles from './notices.module.css'

/** A link to a page outside of the desk, in the style of a button. */
function SiteLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} className={`${button.button} ${button.primary}`}>
      {children}
    </a>
  )
}

/**
 * Explains why the operator cannot open the desk: an unsafe password, a missing second factor, a suspension, no role,
 * or no answer.
 */
export function EntryRefused({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof CallError && error.reason === 'password')
    return (
      <FullPageNotice title="Set a new password first">
        <p>
          The game’s database may contain your current password, and anyone who can read it could open the desk. Set a
          new password, which the game does not get.
        </p>
        <p>From now on your account in the game has a separate password. You set it on your account page.</p>
        <div className={layout.buttons}>
          <SiteLink to="/changepassword">Set a new password</SiteLink>
          <Button tone="secondary" onClick={onRetry}>
            I’ve done it
          </Button>
        </div>
      </FullPageNotice>
    )
  if (error instanceof CallError && error.reason === 'factor')
    return (
      <FullPageNotice title="Set up your second factor first">
        <p>
          The desk opens only for accounts with a second factor: a passkey on your phone or computer, or codes from an
          authenticator app. It takes about two minutes, and you only do it once.
        </p>
        <p>Then come back to this page.</p>
        <div className={layout.buttons}>
          <SiteLink to="/user#second-factor">Set it up on my account</SiteLink>
          <Button tone="secondary" onClick={onRetry}>
            I’ve done it
          </Button>
        </div>
      </FullPageNotice>
    )
  if (error instanceof CallError && error.reason === 'suspended')
    return (
      <FullPageNotice title="Your access is suspended">
        <p>An owner has suspended your access to the desk. Any other owner can restore it under Staff.</p>
        <div className={layout.buttons}>
          <SiteLink to="/">Back to the site</SiteLink>
          <Button tone="secondary" onClick={onRetry}>
            Try again
          </Button>
        </div>
      </FullPageNotice>
    )
  if (error instanceof CallError && error.status === 403)
    return (
      <FullPageNotice title="This is the staff entrance">
        <p>Your account has no role at the desk. If you should have one, ask an owner of the server to invite you.</p>
        <div className={layout.buttons}>
          <SiteLink to="/">Back to the site</SiteLink>
        </div>
      </FullPageNotice>
    )
  return (
    <FullPageNotice title="The desk could not be opened">
      <p>{getAlertText(error)}</p>
      <div className={layout.buttons}>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </FullPageNotice>
  )
}

/** A full-window notice in place of the desk; `below` follows the text. */
export function FullPageNotice({ title, below, children }: { title: string; below?: ReactNode; children: ReactNode }) {
  useTitle(title)
  return (
    <>
      <ArtSprite />
      <Pinstripe />
      <main className={styles.door}>
        <LogoMark size={56} />
        <Panel level={1} title={title} className={styles.panel}>
          <div className={styles.text}>{children}</div>
        </Panel>
        {below}
      </main>
    </>
  )
}

type NoticeProps = { title: string; children: ReactNode }

/** A notice in place of a screen. */
function Notice({ title, children }: NoticeProps) {
  useTitle(title)
  return (
    <Panel level={1} title={title} className={styles.notice}>
      <div className={styles.text}>{children}</div>
    </Panel>
  )
}

/** Shown when the operator lacks the permission for the screen. */
export function PermissionMissing({ access }: { access: StaffAccess }) {
  return (
    <Notice title="Your roles don’t include this screen">
      <p>
        It needs the permission “{access === 'staff' ? 'Open the desk' : PERMISSIONS[access].text}”. An owner can give
        it to you on the Staff screen.
      </p>
    </Notice>
  )
}

/** Shown when no screen has this address. */
export function ScreenNotFound() {
  return (
    <Notice title="There is no screen at this address">
      <p>Choose one from the menu, or press Ctrl K and type what you are looking for.</p>
    </Notice>
  )
}

/** Shown when a screen fails to load or render. The menu still works. */
export function ScreenFailure() {
  const error = useRouteError()
  console.error(error)
  return (
    <Notice title="This screen could not be shown">
      <p>Something went wrong on our side. If it happens again, contact the server’s administrator.</p>
      <div className={layout.buttons}>
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    </Notice>
  )
}
