import { type MouseEvent, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { Toaster, toast } from 'sonner'
import { TOASTS } from '#contract/limits.ts'
import styles from './toast.module.css'

export type ToastKind = 'done' | 'error' | 'note'

export type ToastOptions = {
  /** A button in the toast, or a link if it has an address (`to`). Pressing it closes the toast. */
  action?: { label: string; to?: string; onPress: () => void }
  /** Called when the toast has disappeared for any reason. */
  onClosed?: () => void
}

const GLYPHS: Record<ToastKind, string> = {
  done: 'M4 12.5 9.5 18 20 6',
  error: 'M6 6 18 18M18 6 6 18',
  note: 'M12 4V14M12 17V20',
}

const phone = matchMedia('(max-width: 639px)')

/** The position on a phone: below the header, or above the bottom bar. */
const BELOW_HEADER = { top: 'var(--below-header)', bottom: 80, left: 16, right: 16 }

/** Measures the header, which announcements make taller and which scrolls out of view on some pages. */
function measureHeader(): void {
  const bottom = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  const top = `calc(max(${bottom}px, env(safe-area-inset-top)) + 10px)`
  document.documentElement.style.setProperty('--below-header', top)
}

function ToastHost() {
  const isPhone = useSyncExternalStore(
    (listener) => {
      phone.addEventListener('change', listener)
      return () => phone.removeEventListener('change', listener)
    },
    () => phone.matches,
  )
  return (
    <Toaster
      position={isPhone ? 'top-center' : 'bottom-right'}
      // Sonner uses `mobileOffset` up to 600 px, then `offset`.
      offset={isPhone ? BELOW_HEADER : undefined}
      mobileOffset={BELOW_HEADER}
      expand
      visibleToasts={TOASTS.visible}
      duration={TOASTS.durationMs}
      gap={TOASTS.gapPx}
    />
  )
}

/** The ids of the visible errors, by text. */
const errors = new Map<string, string | number>()

/** The maximum height of three toasts with the error text below a field, in px. */
const TOASTS_HEIGHT = 260
const FIELD_ERROR_HEIGHT = 90

/**
 * Returns a position for a toast that would otherwise cover the focused field and its error: the opposite edge.
 * Otherwise returns undefined. A form focuses its first invalid field before its toast is shown.
 */
function findFreePosition(): 'bottom-center' | 'top-right' | undefined {
  const field = document.activeElement
  if (field === null || !field.matches('input, textarea, select')) return undefined
  const { top, bottom, right } = field.getBoundingClientRect()
  const below = bottom + FIELD_ERROR_HEIGHT
  if (phone.matches) {
    const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    return top < Math.max(0, header) + TOASTS_HEIGHT && below > 0 ? 'bottom-center' : undefined
  }
  const isAtRight = right > innerWidth - 400
  return isAtRight && below > innerHeight - TOASTS_HEIGHT ? 'top-right' : undefined
}

let mounted = false

function mountToaster(): void {
  if (mounted) return
  mounted = true
  const place = document.body.appendChild(document.createElement('div'))
  // Toasts remain reachable while a dialog is open.
  place.dataset.toasts = ''
  createRoot(place).render(<ToastHost />)
}

/**
 * Shows a message as a toast. An error disappears after the next success; the same error is shown only once, however
 * many calls report it.
 */
export function pushToast(kind: ToastKind, text: string, { action, onClosed }: ToastOptions): void {
  measureHeader()
  mountToaster()
  if (kind === 'done') for (const error of errors.values()) toast.dismiss(error)
  if (kind === 'error' && errors.has(text)) return
  const position = kind === 'error' ? findFreePosition() : undefined
  const id = toast.custom(
    (id) => (
      <div className={styles.toast} data-surface="paper">
        <span className={`${styles.tab} ${styles[kind]}`}>
          <svg
            width="24"
            height="24"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="3"
            aria-hidden="true"
          >
            <path d={GLYPHS[kind]} />
          </svg>
        </span>
        <p className={styles.text}>{text}</p>
        {action && <ToastAction {...action} onDone={() => toast.dismiss(id)} />}
      </div>
    ),
    { onAutoClose: gone, onDismiss: gone, ...(position && { position }) },
  )
  if (kind === 'error') errors.set(text, id)

  function gone() {
    errors.delete(text)
    onClosed?.()
  }
}

type ToastActionProps = NonNullable<ToastOptions['action']> & { onDone: () => void }

/**
 * The button or link in a toast. The toaster is outside of the router, so the caller navigates; the address lets
 * visitors open a new tab.
 */
function ToastAction({ label, to, onPress, onDone }: ToastActionProps) {
  const press = (event: MouseEvent) => {
    if (to !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey)) return
    event.preventDefault()
    onPress()
    onDone()
  }
  return to === undefined ? (
    <button type="button" className={styles.action} onClick={press}>
      {label}
    </button>
  ) : (
    <a href={to} className={styles.action} onClick={press}>
      {label}
    </a>
  )
}
