import { useLoaded } from '#web/api/queries.ts'
import { siteQuery } from '#web/shell/shell-data.ts'
import { Signboard } from '#web/ui/signboard.tsx'

/** The operator's social link, in a new tab; nothing while there is none. */
export function SocialSign() {
  const { data } = useLoaded(siteQuery())
  if (!data?.social_url) return null
  return (
    <Signboard
      to={data.social_url}
      tone="blue"
      icon={<Megaphone />}
      title="Join the barkada"
      line="Server talk, events, patch nights"
    />
  )
}

function Megaphone() {
  return (
    <svg width="48" height="44" viewBox="0 0 48 44" fill="currentColor" aria-hidden="true">
      <path d="M30 4v32l-12-7H6V12h12ZM9 31h8l3 10h-8Z" />
      <path d="M35 12l8-6M36 20h9M35 28l8 6" fill="none" stroke="currentColor" strokeWidth="4" />
    </svg>
  )
}
