import { type ReactNode, Suspense, useId } from 'react'
import { LOGIN_TEXTS } from '#contract/messages.ts'
import { formatMoney } from '#contract/numbers.ts'
import { useSession } from '#web/api/session.ts'
import { CoinMark, LogoMark, MilleageMark } from '#web/art/marks.tsx'
import { useLoginForm } from '#web/forms/use-login-form.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CurrencyText, useCurrencyNames } from '#web/ui/currency-names.ts'
import { FieldError, TextField } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import { Value } from '#web/ui/value.tsx'
import { LogoutButton } from './header-parts.tsx'
import styles from './member-card.module.css'

const LetterCount = lazyPart(async () => (await import('./letter-count.tsx')).LetterCount)

/**
 * The card of the side panel (SHELL-5, SHELL-6): a school ID with a slot for a lanyard, dimmed until it is hovered or
 * focused (LOOK-11). The HTML contains the login form and the player's card; CSS shows one of them by the login
 * state at the document's root, which is set before first paint.
 */
export function MemberCard() {
  return (
    <section className={`${styles.card} ${styles.dimmed}`} data-surface="paper" aria-label="Your account">
      <span className={styles.slot} aria-hidden="true" />
      <div data-for="guest">
        <LoginForm />
      </div>
      <div data-for="player">
        <PlayerCard />
      </div>
    </section>
  )
}

const goHome = () => '/'

/** The login form of the side panel (SHELL-5). It works like the login page and then opens the home page. */
function LoginForm() {
  const { errors, busy, refusal, form } = useLoginForm(goHome)
  return (
    <form {...form}>
      <div className={styles.head}>
        <h2 className={text.size24}>Player login</h2>
        <LogoMark size={30} />
      </div>
      <div className={styles.body}>
        <LoginFields
          errors={errors}
          busy={busy}
          refusal={refusal}
          password={<TextField {...PASSWORD_FIELD} type="password" error={errors.UserPass} />}
          linksClass={styles.links}
          forgotLabel="Find ID/PW"
        />
      </div>
    </form>
  )
}

/** The password field's properties. The side panel's field has no button to show the password. */
export const PASSWORD_FIELD = { label: 'Password', name: 'UserPass', autoComplete: 'current-password' } as const

type LoginFieldsProps = Pick<ReturnType<typeof useLoginForm>, 'errors' | 'busy' | 'refusal'> & {
  password: ReactNode
  /** The CSS class of the links below the fields. */
  linksClass: string | undefined
  /** The label of the link to the account search. */
  forgotLabel: string
}

/** The fields, the button and the links of both login forms. */
export function LoginFields({ errors, busy, refusal, password, linksClass, forgotLabel }: LoginFieldsProps) {
  const id = useId()
  return (
    <>
      <TextField
        label="User ID"
        name="UserID"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.UserID}
      />
      {password}
      {/* A toast already announces the refusal to screen readers. */}
      {refusal !== null && <FieldError id={id}>{refusal}</FieldError>}
      <Button type="submit" tone="paper" size="lg" className={styles.submit} busy={busy}>
        Login
      </Button>
      <div className={linksClass}>
        <Link to="/register">{LOGIN_TEXTS.signUp}</Link>
        <Link to="/findaccount">{forgotLabel}</Link>
      </div>
    </>
  )
}

/** The player's name and both balances. */
function PlayerCard() {
  const names = useCurrencyNames()
  const user = useSession()?.user
  return (
    <>
      <div className={styles.head}>
        <p className={styles.welcome}>
          <span>Welcome</span>
          <strong className={styles.userId}>{user?.UserID ?? '\u00a0'}</strong>
        </p>
        <LogoMark size={30} />
      </div>
      <div className={`${styles.body} ${styles.player}`}>
        <dl>
          <div className={styles.balance}>
            <CoinMark size={24} />
            <dt>{names.rCoin}</dt>
            <dd>{user && <Value>{formatMoney(user.UserPoint)}</Value>}</dd>
          </div>
          <div className={styles.balance}>
            <MilleageMark size={24} />
            <dt>{names.milleage}</dt>
            <dd>{user && <Value>{formatMoney(user.UserPoint2)}</Value>}</dd>
          </div>
        </dl>
        <ButtonLink to="/topup" tone="paper" size="lg" className={styles.submit}>
          <CurrencyText>Top Up R-Coin</CurrencyText>
        </ButtonLink>
        <div className={styles.links}>
          <Link to="/user">My Account</Link>
          <Link to="/mailbox" className={styles.mailbox}>
            <Icon name="letter" size={22} />
            <span className="visually-hidden">Mail box</span>
            {user !== undefined && (
              <Suspense>
                <LetterCount className={styles.count} />
              </Suspense>
            )}
          </Link>
          <LogoutButton />
        </div>
      </div>
    </>
  )
}
