import { type ComponentType, useEffect, useState } from 'react'
import { CALL_TEXTS } from '#contract/messages.ts'
import { Icon } from '#web/ui/icon.tsx'
import { showToast } from '#web/ui/toast.ts'

/**
 * Returns whether a key press opens the search: Ctrl K anywhere, or a slash outside of text fields, unless a dialog is
 * open.
 */
function isShortcut({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const isInTextField = (target as Element).closest('input,textarea,select,[contenteditable]')
  const isKey = ctrlKey || metaKey ? key === 'k' : key === '/' && !isInTextField
  return isKey && !document.querySelector('dialog[open],[role=dialog]')
}

/**
 * Returns whether a click on a link to the search opens the box. With a modifier key, the browser opens a new tab or
 * window instead.
 */
function isOpener({ ctrlKey, metaKey, shiftKey, target }: MouseEvent): boolean {
  return !(ctrlKey || metaKey || shiftKey) && (target as Element).closest('[data-search]') !== null
}

/** The search box, downloaded at the first click on a link to the search or the first shortcut. */
export function SearchBox() {
  const [Box, setBox] = useState<ComponentType<{ onClose: () => void }> | null>(null)
  useEffect(() => {
    const handleEvent = (event: KeyboardEvent | MouseEvent) => {
      if (!('key' in event ? isShortcut(event) : isOpener(event))) return
      event.preventDefault()
      import('#web/features/search/search-dialog.tsx').then(
        ({ SearchDialog }) => setBox(() => SearchDialog),
        () => showToast('error', CALL_TEXTS.network),
      )
    }
    addEventListener('keydown', handleEvent)
    addEventListener('click', handleEvent)
    return () => {
      removeEventListener('keydown', handleEvent)
      removeEventListener('click', handleEvent)
    }
  }, [])
  return Box && <Box onClose={() => setBox(null)} />
}

/** A link to the search page. With scripts, it opens the `SearchBox` instead. */
export function SearchLink({ className, size }: { className?: string | undefined; size: number }) {
  return (
    <a href="/search" className={className} data-search aria-haspopup="dialog" aria-keyshortcuts="/ Control+K Meta+K">
      <Icon name="search" size={size} /> <span>Search</span>
    </a>
  )
}
