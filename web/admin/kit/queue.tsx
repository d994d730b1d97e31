import type { ReactNode } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { SegmentLinks } from '#web/ui/tabs.tsx'
import styles from './queue.module.css'

/**
 * A view that a volunteer works through: its name, its filters as an address's query, and its text when it is empty.
 */
type QueueView = { label: string; query: string; none: string }

type QueueProps = {
  /** The first one is open from the start. */
  views: readonly [QueueView, ...QueueView[]]
  /** The filters that distinguish the views; other filters can be combined with them. */
  apart: readonly string[]
  /** The list. It gets the text of an empty list, unless more filters are chosen than those of a view. */
  children: (none: string | undefined) => ReactNode
}

/** The views of a queue above its list; every other selection is a filter. */
export function Queue({ views, apart, children }: QueueProps) {
  const [query] = useSearchParams()
  const { hash } = useLocation()
  if (query.size === 0 && hash === '') return <Navigate to={`?${views[0].query}`} replace />
  const current = views.find((view) => {
    const wanted = new URLSearchParams(view.query)
    return apart.every((name) => (wanted.get(name) ?? '') === (query.get(name) ?? ''))
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
      {children(hash === '' ? views.find((view) => view.query === query.toString())?.none : undefined)}
    </>
  )
}
