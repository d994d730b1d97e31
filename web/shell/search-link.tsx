import { Icon } from '#web/ui/icon.tsx'

/** Leads to the search page; where scripts run, `SearchBox` opens the box instead. */
export function SearchLink({ className, size }: { className?: string | undefined; size: number }) {
  return (
    <a href="/search" className={className} data-search aria-haspopup="dialog" aria-keyshortcuts="/ Control+K Meta+K">
      <Icon name="search" size={size} /> <span>Search</span>
    </a>
  )
}
