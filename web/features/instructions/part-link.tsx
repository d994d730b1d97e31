import type { CSSProperties, ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { InterfacePartKey } from '#contract/documents.ts'
import { usePageSearch } from '#web/api/page.ts'
import { Link } from '#web/ui/link.tsx'
import { getPartPath, readPart } from './parts.ts'

type PartLinkProps = {
  part: InterfacePartKey
  id?: string
  className?: string | undefined
  style?: CSSProperties
  children: ReactNode
}

/** The search parameter that names an open popup. */
export const PART_SEARCH = { names: ['part'], read: readPart }

/** Marks a history entry whose popup was opened on this page, so closing it goes back. */
const OPENED_HERE_STATE = { openedHere: true }

/**
 * Opens a region's popup. The popup has an address, so the link also works without scripts. Inside a popup it replaces
 * the history entry, so Back always closes the popup.
 */
export function PartLink({ part, children, ...rest }: PartLinkProps) {
  return (
    <Link to={getPartPath(part)} {...usePartLinkOptions()} data-part={part} {...rest}>
      {children}
    </Link>
  )
}

/** Returns the navigation options of links to a region's popup. */
export function usePartLinkOptions() {
  const { state } = useLocation()
  const isInPopup = usePageSearch(PART_SEARCH) !== null
  return { state: (isInPopup ? state : OPENED_HERE_STATE) as unknown, replace: isInPopup, preventScrollReset: true }
}
