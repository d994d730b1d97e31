import type { CSSProperties, ReactNode } from 'react'
import { useLocation } from 'react-router'
import { type PartKey, partPath, readPart } from '#content/instructions.ts'
import { usePageSearch } from '#web/api/page.ts'
import { Link } from '#web/ui/link.tsx'

type PartLinkProps = {
  part: PartKey
  id?: string
  className?: string | undefined
  style?: CSSProperties
  children: ReactNode
}

/** The part of the address that names an open popup. */
export const PART_SEARCH = { names: ['part'], read: readPart }

/** Loads the code of the modal dialog; every link to a popup asks for it as soon as it is pointed at or focused. */
export const loadDialog = () => import('./part-dialog.tsx')

function warmDialog(): void {
  // A failure is ignored here: opening the popup tries again.
  loadDialog().catch(() => undefined)
}

/** Marks a history entry whose popup was opened on this page: going back closes it. */
const OPENED_HERE = { openedHere: true }

/**
 * Opens a region's popup. The popup has an address, so the link also works without scripts. Within a popup it replaces
 * the history entry, so that Back always closes the popup.
 */
export function PartLink({ part, children, ...rest }: PartLinkProps) {
  const { state } = useLocation()
  const withinPopup = usePageSearch(PART_SEARCH) !== null
  return (
    <Link
      to={partPath(part)}
      state={withinPopup ? state : OPENED_HERE}
      replace={withinPopup}
      preventScrollReset
      data-part={part}
      onPointerEnter={warmDialog}
      onFocus={warmDialog}
      {...rest}
    >
      {children}
    </Link>
  )
}
