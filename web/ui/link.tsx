import { type LinkProps, Link as RouterLink } from 'react-router'

type Props = Omit<LinkProps, 'to' | 'relative' | 'discover'> & {
  /** A path of this site, from its slash on. */
  to: string
}

/**
 * A link within the site. While rendering on the server it is a plain anchor: the router's
 * link spends on each a fifth of a row's rendering, on finding out where a path leads that
 * says so itself and on clicks that only a browser has.
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
