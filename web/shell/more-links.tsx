import { usePageQuery } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { getSiteQuery } from './shell-data.ts'

/**
 * Links to the operators' pages on other sites, such as messengers, in new tabs (SITE-11). Renders nothing if there are
 * none.
 */
export function MoreLinks({ className = '' }: { className?: string | undefined }) {
  const links = usePageQuery(getSiteQuery()).data?.more_links ?? []
  if (links.length === 0) return null
  return (
    <ul className={`${layout.buttons} ${className}`} aria-label="Find us on other sites">
      {links.map(({ name, url }) => (
        <li key={url}>
          <ButtonLink to={url} tone="secondary">
            {name}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}
