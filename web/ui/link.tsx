import type { MouseEventHandler, ReactNode } from 'react'
import { type LinkProps, Link as RouterLink } from 'react-router'

type Props = Omit<LinkProps, 'to' | 'relative' | 'discover'> & {
  /** A path of this site, from its slash on. */
  to: string
}

/**
 * A link within the site. On the server it is a plain anchor: the router's link takes a
 * fifth of the time to render a table row, to resolve a path that is absolute already and to
 * handle clicks that do not happen there.
 */
export function Link(props: Props) {
  return import.meta.env.SSR ? <PlainLink {...props} /> : <RouterLink discover="none" {...props} />
}

function PlainLink({
  to,
  prefetch: _,
  preventScrollReset: _1,
  replace: _2,
  state: _3,
  reloadDocument: _4,
  viewTransition: _5,
  ...anchor
}: Props) {
  return <a {...anchor} href={to} />
}

type OwnOrForeignLinkProps = {
  to: string
  className?: string | undefined
  onClick?: MouseEventHandler<HTMLAnchorElement> | undefined
  children: ReactNode
}

/** A router link for a path of this site; a foreign address opens in a new tab and says so. */
export function OwnOrForeignLink({ to, className, onClick, children }: OwnOrForeignLinkProps) {
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
