import { lazy, Suspense, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { LOGIN_TEXTS } from '#contract/messages.ts'
import { getShopItem } from '#contract/shop.ts'
import { loginSearch } from '#web/api/browser-search.ts'
import { isSessionExpired } from '#web/api/call.ts'
import { isLeaving, setActionAfterLogin, takeActionAfterLogin, toReturnPath } from '#web/api/guard.ts'
import { useIncompleteLogin } from '#web/api/incomplete-login.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { clearSession, getAccessToken, useAccessToken } from '#web/api/session.ts'
import { refreshSession } from '#web/api/session-actions.ts'
import { LogoMark } from '#web/art/marks.tsx'
import { useAddItem } from '#web/features/cart/use-cart.ts'
import { getBuyPath } from '#web/features/shop/shop-view.ts'
import { useLoginForm } from '#web/forms/use-login-form.ts'
import card from '#web/shell/member-card.module.css'
import { LoginFields, PASSWORD_FIELD } from '#web/shell/member-card.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink, Squares } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import styles from './login-page.module.css'
import { SecondStep } from './second-step.tsx'

const KeepAccount = lazy(async () => ({ default: (await import('./keep-account.tsx')).KeepAccount }))
const Appeal = lazy(async () => ({ default: (await import('./appeal.tsx')).Appeal }))

/** The login page (LOGIN-1). */
export default function LoginPage() {
  const { next, add, buy, verified } = usePageSearch(loginSearch)
  const getNextPath = () => (buy === null ? toReturnPath(next) : getBuyPath(buy))
  useAddAfterLogin(add)
  useStoredToken(getNextPath, verified)
  return (
    <>
      <PageHead
        hasScene
        crumb="Login"
        title="Login"
        lines={['Your cart, your coins and your characters are where you left them.']}
      />
      <div className={`${layout.panels} ${styles.columns}`}>
        <LoginCard getNextPath={getNextPath} />
        <NewcomerNote />
      </div>
    </>
  )
}

/**
 * Handles a stored token at /login (ROUTE-4): opens the next page if the server accepts it; otherwise deletes it and
 * shows the form without an error. Also shows the result of a verification link.
 */
function useStoredToken(getNextPath: () => string, verified: string | null): void {
  const navigate = useNavigate()
  const token = useAccessToken()
  const target = useRef(getNextPath)
  target.current = getNextPath
  useEffect(() => {
    if (token === null || isLeaving()) return
    refreshSession('none').then(
      () => {
        if (getAccessToken() !== token) return
        if (verified === '1') void showToast('done', VERIFIED_TEXT)
        if (verified === '0') void showToast('note', DEAD_LINK_TEXT)
        const nextAction = takeActionAfterLogin()
        void Promise.resolve(navigate(target.current(), { replace: true })).then(() => nextAction?.())
      },
      (error: unknown) => {
        if (getAccessToken() === token && isSessionExpired(error)) clearSession()
      },
    )
  }, [token, navigate, verified])
}

/** The ID card: the login form or the next step for guests, or a waiting note for logged-in players. */
function LoginCard({ getNextPath }: { getNextPath: () => string }) {
  const { errors, busy, refusal, form } = useLoginForm(getNextPath)
  const incompleteLogin = useIncompleteLogin()
  return (
    <section className={`${card.card} ${styles.card}`} data-surface="paper" aria-labelledby="player-login">
      <span className={card.slot} aria-hidden="true" />
      <div className={card.head}>
        <h2 id="player-login">
          {incompleteLogin === null
            ? 'Player login'
            : 'challenge' in incompleteLogin
              ? 'One more step'
              : 'erasureDueAt' in incompleteLogin
                ? 'Waiting to be erased'
                : 'Blocked'}
        </h2>
        <LogoMark size={30} />
      </div>
      {incompleteLogin === null ? (
        <form {...form} className={styles.body} data-for="guest">
          <VerifiedNote />
          <KeepAccountNote />
          <IntentNote />
          <LoginFields
            errors={errors}
            busy={busy}
            refusal={refusal}
            password={<PasswordField {...PASSWORD_FIELD} error={errors.UserPass} />}
            linksClass={styles.links}
            forgotLabel={LOGIN_TEXTS.forgot}
          />
        </form>
      ) : 'challenge' in incompleteLogin ? (
        <SecondStep key={incompleteLogin.challenge} login={incompleteLogin} />
      ) : (
        <Suspense>
          {'erasureDueAt' in incompleteLogin ? (
            <KeepAccount login={incompleteLogin} />
          ) : (
            <Appeal login={incompleteLogin} />
          )}
        </Suspense>
      )}
      <div className={styles.waitingNote} data-for="player">
        <p role="status">The gate is opening…</p>
        <Squares />
      </div>
    </section>
  )
}

/** Puts an item into the cart after the login (SHOP-8). */
function useAddAfterLogin(item: number | null): void {
  const addItem = useAddItem()
  const latestAddItem = useRef(addItem)
  latestAddItem.current = addItem
  useEffect(() => {
    if (item === null) return
    setActionAfterLogin(() => void latestAddItem.current(item))
    return () => setActionAfterLogin(undefined)
  }, [item])
}

/** Explains the step after the login to a guest who pressed Add to cart or Buy now. */
function IntentNote() {
  const { add, buy } = usePageSearch(loginSearch)
  const isHydrated = useHydrated()
  const item = isHydrated ? (add ?? buy) : null
  const { data } = useCall(getShopItem, { productnum: item ?? 0 }, { enabled: item !== null, retry: false })
  if (item === null || data === undefined) return null
  const name = data.data.ItemName
  return (
    <p className={styles.successNote} role="status">
      {add === null ? `After you log in, you can buy ${name}.` : `After you log in, ${name} is added to your cart.`}
    </p>
  )
}

const ACCOUNT_STAYS_TEXT = 'Your account stays. You can log in again.'
const DEAD_KEEP_LINK_TEXT = 'This link no longer works. If the account still waits to be erased, log in to keep it.'

/**
 * Shows the result of cancelling an erasure: /keepaccount redirects to /login?kept=1, or kept=0 for an invalid link.
 */
function KeepAccountNote() {
  const search = usePageSearch(loginSearch)
  const kept = useHydrated() ? search.kept : null
  if (kept !== '1' && kept !== '0') return null
  return (
    <p className={kept === '1' ? styles.successNote : styles.errorNote} role="status">
      {kept === '1' ? ACCOUNT_STAYS_TEXT : DEAD_KEEP_LINK_TEXT}
    </p>
  )
}

const VERIFIED_TEXT = 'Your email address is verified.'
const DEAD_LINK_TEXT = 'This verification link no longer works.'

/** Shows the result of verifying an email address: /verifyemail redirects to /login?verified=1 or 0. */
function VerifiedNote() {
  const search = usePageSearch(loginSearch)
  const verified = useHydrated() ? search.verified : null
  if (verified === '1') {
    return (
      <p className={styles.successNote} role="status">
        {VERIFIED_TEXT}
      </p>
    )
  }
  if (verified !== '0') return null
  return (
    <p className={`${text.note} ${styles.errorNote}`} role="status">
      {DEAD_LINK_TEXT} Once you have logged in, <Link to="/user">My Account</Link> shows whether your address is
      verified.
    </p>
  )
}

/** Help next to the card for visitors without an account or password. */
function NewcomerNote() {
  return (
    <Panel>
      <div className={styles.half}>
        <h2>New here?</h2>
        <p>One account opens all three schools, the item shop and the rankings. It takes a minute and costs nothing.</p>
        <ButtonLink to="/register">Open an account</ButtonLink>
      </div>
      <div className={styles.half}>
        <h2>Can’t get in?</h2>
        <p>We can email you your user ID, or a link to set a new password. We never ask for a password in a chat.</p>
        <ButtonLink to="/findaccount" tone="secondary">
          Find my account
        </ButtonLink>
      </div>
    </Panel>
  )
}
