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

const phoneQuery = matchMedia('(max-width: 639px)')

/** The distances of the toasts from the edges of a phone's screen: below the header, or above the bottom bar. */
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
      phoneQuery.addEventListener('change', listener)
      return () => phoneQuery.removeEventListener('change', listener)
    },
    () => phoneQuery.matches,
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

/** The ids of the visible error toasts by text. */
const visibleErrors = new Map<string, string | number>()

/** The maximum height of three toasts, in px. */
const TOASTS_HEIGHT = 260
/** The height of the error text below a field, in px. */
const FIELD_ERROR_HEIGHT = 90

/**
 * Returns the opposite edge of the screen if a toast would cover the focused field or its error, otherwise undefined
 * for the default position. A form focuses its first invalid field before its toast is shown.
 */
function findFreePosition(): 'bottom-center' | 'top-right' | undefined {
  const field = document.activeElement
  if (field === null || !field.matches('input, textarea, select')) return undefined
  const { top, bottom, right } = field.getBoundingClientRect()
  const lowerEdge = bottom + FIELD_ERROR_HEIGHT
  if (phoneQuery.matches) {
    const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    return top < Math.max(0, header) + TOASTS_HEIGHT && lowerEdge > 0 ? 'bottom-center' : undefined
  }
  const isAtRight = right > innerWidth - 400
  return isAtRight && lowerEdge > innerHeight - TOASTS_HEIGHT ? 'top-right' : undefined
}

let isMounted = false

function mountToaster(): void {
  if (isMounted) return
  isMounted = true
  const container = document.body.appendChild(document.createElement('div'))
  // Toasts remain reachable while a dialog is open.
  container.dataset.toasts = ''
  createRoot(container).render(<ToastHost />)
}

/**
 * Shows a message as a toast. An error disappears after the next success; while an error is visible, its text is not
 * shown again.
 */
export function pushToast(kind: ToastKind, text: string, { action, onClosed }: ToastOptions): void {
  measureHeader()
  mountToaster()
  if (kind === 'done') for (const error of visibleErrors.values()) toast.dismiss(error)
  if (kind === 'error' && visibleErrors.has(text)) return
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
    { onAutoClose: handleClosed, onDismiss: handleClosed, ...(position && { position }) },
  )
  if (kind === 'error') visibleErrors.set(text, id)

  function handleClosed() {
    visibleErrors.delete(text)
    onClosed?.()
  }
}

type ToastActionProps = NonNullable<ToastOptions['action']> & { onDone: () => void }

/**
 * The button or link in a toast. The toaster is outside of the router, so the caller navigates; the address lets
 * visitors open a new tab.
 */
function ToastAction({ label, to, onPress, onDone }: ToastActionProps) {
  const handlePress = (event: MouseEvent) => {
    if (to !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey)) return
    event.preventDefault()
    onPress()
    onDone()
  }
  return to === undefined ? (
    <button type="button" className={styles.action} onClick={handlePress}>
      {label}
    </button>
  ) : (
    <a href={to} className={styles.action} onClick={handlePress}>
      {label}
    </a>
  )
}
