import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import styles from './lines.module.css'

/** Shown at first; the rest on request. */
const FEW = 6

type Props<Item> = { items: readonly Item[]; line: (item: Item) => ReactNode }

/** The first lines of a list, and a button for all of them. */
export function FewLines<Item>({ items, line }: Props<Item>) {
  const [all, setAll] = useState(false)
  return (
    <>
      <ul className={styles.lines}>{(all ? items : items.slice(0, FEW)).map(line)}</ul>
      {items.length > FEW && (
        <div className={styles.foot}>
          <Button tone="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show less' : `Show all ${items.length}`}
          </Button>
        </div>
      )}
    </>
  )
}
