import type { AnchorHTMLAttributes, MouseEvent, MouseEventHandler, ReactNode } from 'react'
import { useLinkClickHandler } from 'react-router'

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  /** A path of this site, starting with a slash. */
  to: string
  /** Whether the link replaces the current entry of the browser's history. */
  replace?: boolean
  /** Whether the page keeps its scroll position. */
  preventScrollReset?: boolean
  /** The id of the element whose content the link changes; the page scrolls to the element's top (SHELL-12). */
  list?: string | undefined
  /** Stored with the entry of the browser's history. */
  state?: unknown
}

/**
 * A link within the site. On the server it is a plain anchor, which renders five times faster. In the browser it
 * replaces the router's own link, whose code for the framework mode would add 4 kB to a first visit.
 */
export function Link(props: LinkProps) {
  return import.meta.env.SSR ? <PlainLink {...props} /> : <RoutedLink {...props} />
}

function PlainLink({ to, replace: _, preventScrollReset: _1, state: _2, list: _3, ...anchor }: LinkProps) {
  return <a {...anchor} href={to} />
}

function RoutedLink({ to, replace, list, preventScrollReset, state, onClick, ...anchor }: LinkProps) {
  const followLink = useLinkClickHandler<HTMLAnchorElement>(to, {
    target: anchor.target,
    replace,
    preventScrollReset: preventScrollReset ?? list !== undefined,
    state: list === undefined ? state : { list },
  })
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (!event.defaultPrevented) followLink(event)
  }
  return <a {...anchor} href={to} onClick={handleClick} />
}

type SiteOrExternalLinkProps = {
  to: string
  className?: string | undefined
  onClick?: MouseEventHandler<HTMLAnchorElement> | undefined
  children: ReactNode
}

/** A router link for a path of this site. An external address opens in a new tab, which screen readers announce. */
export function SiteOrExternalLink({ to, className, onClick, children }: SiteOrExternalLinkProps) {
  if (to.startsWith('/') || to.startsWith('?')) {
    return (
      <Link to={to} className={className} onClick={onClick}>
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
