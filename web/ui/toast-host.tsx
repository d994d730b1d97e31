import { type MouseEvent, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { Toaster, toast } from 'sonner'
import { TOASTS } from '#contract/limits.ts'
import styles from './toast.module.css'

export type ToastKind = 'done' | 'error' | 'note'

export type ToastOptions = {
  /** A button in the toast, or a link if it leads to a page (`to`). Pressing it closes the toast. */
  action?: { label: string; to?: string; onPress: () => void }
  /** Called when the toast has disappeared, however it was closed. */
  onClosed?: () => void
}

const GLYPHS: Record<ToastKind, string> = {
  done: 'M4 12.5 9.5 18 20 6',
  error: 'M6 6 18 18M18 6 6 18',
  note: 'M12 4V14M12 17V20',
}

const phone = matchMedia('(max-width: 639px)')

/** On a phone: below the header, or above the bottom bar. */
const BELOW_HEADER = { top: 'var(--below-header)', bottom: 80, left: 16, right: 16 }

/** Announcements make the header taller, and on some pages it scrolls out of view. */
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
      // Sonner takes `mobileOffset` up to 600 px and `offset` from there on.
      offset={isPhone ? BELOW_HEADER : undefined}
      mobileOffset={BELOW_HEADER}
      expand
      visibleToasts={TOASTS.visible}
      duration={TOASTS.durationMs}
      gap={TOASTS.gapPx}
    />
  )
}

/** The errors on show, by their texts. */
const errors = new Map<string, string | number>()

/** How high three toasts are at most, and the error text below a field. */
const TOASTS_HEIGHT = 260
const FIELD_ERROR_HEIGHT = 90

/**
 * Returns where a toast is shown if not in its usual position: at the other edge where it would cover the field that has the
 * focus, and the error below it. The focus moves to the first wrong field of a form before its toast is shown.
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
  // Toasts stay in reach while a dialog is open.
  place.dataset.toasts = ''
  createRoot(place).render(<ToastHost />)
}

/**
 * Shows a message on the one toaster of the page. An error goes once something has been done, and is shown once however many
 * calls report it.
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

/** The toaster is outside the page's router, so the caller navigates; the address is for opening it in another tab. */
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
