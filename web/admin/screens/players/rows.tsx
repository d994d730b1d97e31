import type { ReactNode } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import type { getPlayer } from '#contract/players.ts'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import styles from './player.module.css'

export type Player = CallOutput<typeof getPlayer>['player']

type RowsProps = { title: string; rows: ReactNode[]; empty: { title: string; line?: string }; actions?: ReactNode }

/** A short list of a player's data. */
export function Rows({ title, rows, empty, actions }: RowsProps) {
  return (
    <Panel title={title} actions={actions}>
      {rows.length === 0 ? <EmptyState {...empty} /> : <ul className={styles.rows}>{rows}</ul>}
    </Panel>
  )
}
