import type { ReactNode } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { SegmentLinks } from '#web/ui/tabs.tsx'
import styles from './queue.module.css'

/** A view of a queue: its label, its filters as a query string, and its text when it is empty. */
type QueueView = { label: string; query: string; emptyText: string }

type QueueProps = {
  /** The views; the first one opens by default. */
  views: readonly [QueueView, ...QueueView[]]
  /** The filters that distinguish the views. Operators can combine other filters with them. */
  viewFilters: readonly string[]
  /** Renders the list with the text for an empty view, or undefined if further filters are in use. */
  children: (emptyText: string | undefined) => ReactNode
}

/** Tabs for the views of a queue, above its list. */
export function Queue({ views, viewFilters, children }: QueueProps) {
  const [query] = useSearchParams()
  const { hash } = useLocation()
  if (query.size === 0 && hash === '') return <Navigate to={`?${views[0].query}`} replace />
  const current = views.find((view) => {
    const viewQuery = new URLSearchParams(view.query)
    return viewFilters.every((name) => (viewQuery.get(name) ?? '') === (query.get(name) ?? ''))
  })
  return (
    <>
      <div className={styles.views}>
        <SegmentLinks
          label="Show"
          tabs={views.map(({ label, query }) => ({ key: query, label, to: `?${query}` }))}
          current={current?.query ?? ''}
        />
      </div>
      {children(hash === '' ? views.find((view) => view.query === query.toString())?.emptyText : undefined)}
    </>
  )
}
