import { useState } from 'react'
import { getCapsuleDraws } from '#contract/capsules.ts'
import { formatCount } from '#contract/numbers.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { getCurrency } from '#web/features/shop/amounts.ts'
import { Price } from '#web/features/shop/item-parts.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { Value } from '#web/ui/value.tsx'
import styles from './capsules.module.css'

/** Lists all draws of the player, newest first. */
export function Draws() {
  const renderedAt = useRenderedAt()
  const [pages, setPages] = useState([''])
  return (
    <Panel title="Your draws">
      <ul className={layout.rows}>
        {pages.map((after, index) => (
          <DrawsPage
            key={after}
            after={after}
            renderedAt={renderedAt}
            onMore={index === pages.length - 1 ? (cursor) => setPages([...pages, cursor]) : undefined}
          />
        ))}
      </ul>
    </Panel>
  )
}

type DrawsPageProps = { after: string; renderedAt: number; onMore: ((cursor: string) => void) | undefined }

function DrawsPage({ after, renderedAt, onMore }: DrawsPageProps) {
  const { data } = useCall(getCapsuleDraws, { after }, { staleTime: 0, retry: false })
  if (data === undefined) return null
  if (data.draws.length === 0)
    return (
      <li>
        <EmptyState title="No draws yet" line="Every draw you make is listed here, with what it cost." />
      </li>
    )
  return (
    <>
      {data.draws.map((draw) => (
        <li key={draw.draw} className={styles.draw}>
          <b>{draw.item_name}</b>
          <span>
            {draw.name}, <Price amount={draw.price} currency={getCurrency(draw.section)} markSize={16} />
          </span>
          <span className={text.quiet}>
            Random number <Value>{formatCount(draw.number)}</Value> of <Value>{formatCount(draw.out_of)}</Value>,
            chances version <Value>{draw.version}</Value>, <RelativeTime iso={draw.drawn_at} renderedAt={renderedAt} />
          </span>
        </li>
      ))}
      {data.next !== null && onMore && (
        <li className={styles.more}>
          <Button tone="secondary" onClick={() => onMore(data.next ?? '')}>
            Earlier draws
          </Button>
        </li>
      )}
    </>
  )
}
