import type { CSSProperties, ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Link } from '#web/ui/link.tsx'
import { type PartKey, partPath, readPart } from './content/part-keys.ts'

type PartLinkProps = {
  part: PartKey
  id?: string
  className?: string | undefined
  style?: CSSProperties
  children: ReactNode
}

/** What a popup's entry in the history says: Back leads to the guide without it. */
const OPENED_HERE = { openedHere: true }

/**
 * Opens a region's popup. It has an address, so without scripts it is a page with the popup on it. From within
 * a popup it takes that one's place in the history, so that Back always closes.
 */
export function PartLink({ part, children, ...rest }: PartLinkProps) {
  const { search, state } = useLocation()
  const withinPopup = readPart(new URLSearchParams(search)) !== null
  return (
    <Link
      to={partPath(part)}
      state={withinPopup ? state : OPENED_HERE}
      replace={withinPopup}
      preventScrollReset
      data-part={part}
      {...rest}
    >
      {children}
    </Link>
  )
}
