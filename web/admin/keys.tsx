import { useEffect, useRef, useState } from 'react'
import styles from './keys.module.css'
import { getScreenPath, type Screen } from './screens.ts'

/** The time that the desk waits after `g` for the key of a screen, in ms. */
const SEQUENCE_MS = 1500

const ROW_SELECTOR = '[data-row]'

type KeyHandlers = { screens: Screen[]; openPalette: () => void; navigate: (to: string) => unknown }

/**
 * Handles the keys of the desk: `/` or Ctrl K opens the search, `g` and then a letter opens a screen, `j` and `k` move
 * between rows, `x` ticks a row, and `?` lists the keys. Only Ctrl K works while the operator types, and no key while a
 * dialog is open.
 *
 * @returns the list of keys while it is open, otherwise null
 */
export function useDeskKeys(keys: KeyHandlers) {
  const [isListOpen, setListOpen] = useState(false)
  const latestHandlers = useRef(keys)
  latestHandlers.current = keys
  useEffect(() => {
    let prefixTime = Number.NEGATIVE_INFINITY
    const handleKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event
      const { screens, openPalette, navigate } = latestHandlers.current
      if (document.querySelector('dialog[open],[role=dialog],[role=alertdialog]')) return
      const opensPalette = (ctrlKey || metaKey) && key.toLowerCase() === 'k'
      const isWriting = (target as Element).closest('input:not([type=checkbox]),textarea,select,[contenteditable]')
      if (!opensPalette && (ctrlKey || metaKey || altKey || isWriting)) return
      if (key === 'Shift') return
      const hasPrefix = timeStamp - prefixTime < SEQUENCE_MS
      prefixTime = Number.NEGATIVE_INFINITY
      const targetScreen = hasPrefix ? screens.find((screen) => screen.key === key) : undefined
      if (opensPalette || key === '/') openPalette()
      else if (targetScreen !== undefined) void navigate(getScreenPath(targetScreen))
      else if (key === 'g') prefixTime = timeStamp
      else if (key === '?') setListOpen(true)
      else if (key === 'j' || key === 'k') moveAmongRows(key === 'j' ? 1 : -1)
      else if (key === 'x') tickRow()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])
  return isListOpen ? <KeyList screens={keys.screens} onClose={() => setListOpen(false)} /> : null
}

/** Moves the focus to the next or previous row: to its link, or to the row itself if it has no link. */
function moveAmongRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROW_SELECTOR)]
  const focused = rows.findIndex((row) => row.closest('tr,li')?.contains(document.activeElement))
  rows[focused < 0 ? 0 : Math.min(Math.max(focused + step, 0), rows.length - 1)]?.focus()
}

function tickRow(): void {
  document.activeElement?.closest('tr,li')?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
}

/** Lists every key of the desk. */
function KeyList({ screens, onClose }: { screens: Screen[]; onClose: () => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null)
  useEffect(() => dialogRef.current?.showModal(), [])
  const generalKeys: [string[], string][] = [
    [['Ctrl', 'K'], 'Search screens, actions, players'],
    [['/'], 'Same as Ctrl K'],
    [['j'], 'Next row'],
    [['k'], 'Previous row'],
    [['Enter'], 'Open the row'],
    [['x'], 'Tick the row'],
    [['Esc'], 'Close what is open'],
  ]
  const screenKeys = screens.map(({ key, title }): [string[], string] => [
    key === key.toLowerCase() ? ['g', key] : ['g', 'Shift', key.toLowerCase()],
    title,
  ])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape, by the browser
    <dialog
      className={styles.dialog}
      ref={dialogRef}
      aria-labelledby="keys-title"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close()
      }}
    >
      <div className={styles.inner}>
        <h2 id="keys-title">Keyboard shortcuts</h2>
        {[generalKeys, screenKeys].map((list) => (
          <dl key={list.length}>
            {list.map(([keys, effect]) => (
              <div key={effect}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{effect}</dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
    </dialog>
  )
}
