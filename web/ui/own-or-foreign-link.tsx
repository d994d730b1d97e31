import type { MouseEventHandler, ReactNode } from 'react'
import { Link } from './link.tsx'

type Props = {
  to: string
  className?: string | undefined
  onClick?: MouseEventHandler<HTMLAnchorElement> | undefined
  children: ReactNode
}

/** A router link for a path of this site; a foreign address opens in a new tab and says so. */
export function OwnOrForeignLink({ to, className, onClick, children }: Props) {
  if (to.startsWith('/') || to.startsWith('?')) {
    return (
      <Link to={to} className={className} onClick={onClick} prefetch="intent">
        {children}
      </Link>
    )
  }
  return (
    <a href={to} className={className} onClick={onClick} target="_blank" rel="noopener">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  )
}
