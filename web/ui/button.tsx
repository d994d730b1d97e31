import type { ButtonHTMLAttributes, MouseEventHandler, ReactNode } from 'react'
import styles from './button.module.css'
import { SiteOrExternalLink } from './link.tsx'

type Tone = 'primary' | 'secondary' | 'paper' | 'danger' | 'quiet'
type Size = 'md' | 'lg'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** `paper` is a dark button with yellow text, for light surfaces. */
  tone?: Tone
  size?: Size
  /** Shows three squares at the same width and ignores further clicks. */
  busy?: boolean
}

/** A button with one cut corner. It stays focusable while busy, so keyboard users do not lose their position. */
export function Button({ tone = 'primary', size = 'md', busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={getClasses(tone, size, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      <span className={styles.text}>{children}</span>
      {busy && <Squares />}
    </button>
  )
}

/** The three squares that show a running call. `--square` sets their size; they have the color of the text. */
export function Squares({ className = '' }: { className?: string | undefined }) {
  return (
    <span className={`${styles.squares} ${className}`} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  )
}

type ButtonLinkProps = {
  /** A path of this site, or an external address, which opens in a new tab. */
  to: string
  tone?: Tone
  size?: Size
  className?: string | undefined
  onClick?: MouseEventHandler<HTMLAnchorElement>
  children: ReactNode
}

/** A link in the style of a button. */
export function ButtonLink({ to, tone = 'primary', size = 'md', className, onClick, children }: ButtonLinkProps) {
  return (
    <SiteOrExternalLink to={to} className={getClasses(tone, size, className)} onClick={onClick}>
      <span className={styles.text}>{children}</span>
    </SiteOrExternalLink>
  )
}

type RefreshButtonProps = {
  onRefresh: () => void
  busy: boolean
  /** The name of the refreshed content, for screen readers. */
  what: string
}

/** The quiet 'Refresh' button of a board. Hidden without scripts, because visitors can reload the page. */
export function RefreshButton({ onRefresh, busy, what }: RefreshButtonProps) {
  return (
    <Button tone="quiet" className="needs-script" busy={busy} onClick={() => onRefresh()}>
      Refresh
      <span className="visually-hidden"> {what}</span>
    </Button>
  )
}

function getClasses(tone: Tone, size: Size, className: string | undefined): string {
  return [tone === 'quiet' ? styles.quiet : styles.button, styles[tone], size === 'lg' && styles.lg, className]
    .filter(Boolean)
    .join(' ')
}
