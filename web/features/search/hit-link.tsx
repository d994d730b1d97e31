import type { AnchorHTMLAttributes } from 'react'
import type { SearchHit } from '#contract/search.ts'
import { Link } from '#web/ui/link.tsx'
import { HitRow } from './hit-row.tsx'
import { hrefOf } from './hit-words.ts'

type HitLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'children'> & { hit: SearchHit }

/** A hit as the link to what was found. */
export function HitLink({ hit, ...rest }: HitLinkProps) {
  const { to, isDocument } = hrefOf(hit)
  return isDocument ? (
    <a {...rest} href={to}>
      <HitRow hit={hit} />
    </a>
  ) : (
    <Link {...rest} to={to}>
      <HitRow hit={hit} />
    </Link>
  )
}
