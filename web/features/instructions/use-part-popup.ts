import { useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { type PartKey, readPart } from './content/part-keys.ts'

/** Which popup the address names, and how it closes: by going back where it was opened from here. */
export function usePartPopup() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const openedHere = useLocation().state?.openedHere === true
  const part = readPart(query)
  const [shown, setShown] = useState(part)
  if (part !== null && part !== shown) setShown(part)
  const opener = useOpener(part)

  return {
    part,
    /** The part that is open, or that is closing. */
    shown,
    onClose: () => {
      if (openedHere) navigate(-1)
      else navigate('/instructions', { replace: true, preventScrollReset: true })
    },
    /** Where the keyboard goes on: the link that opened this part, else its region in the picture. */
    focusAfter: () =>
      opener.current?.isConnected && opener.current.dataset.part === shown
        ? opener.current
        : document.getElementById(`region-${shown}`),
  }
}

/** The link that had the focus when a popup opened; the window takes the focus only after layout. */
function useOpener(part: PartKey | null) {
  const opener = useRef<HTMLElement | null>(null)
  const open = part !== null
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
  }, [open])
  return opener
}
