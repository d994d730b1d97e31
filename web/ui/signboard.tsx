import type { ReactNode } from 'react'
import { SiteOrExternalLink } from './link.tsx'
import styles from './signboard.module.css'

type SignboardProps = {
  to: string
  tone: 'yellow' | 'paper' | 'blue' | 'ink'
  icon?: ReactNode
  title: string
  line: ReactNode
  className?: string | undefined
}

/** A link drawn as a jeepney's signboard, with a second line inside its edge. */
export function Signboard({ to, tone, icon, title, line, className }: SignboardProps) {
  return (
    <SiteOrExternalLink to={to} className={[styles.board, styles[tone], className].filter(Boolean).join(' ')}>
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        {line !== '' && <span className={styles.line}>{line}</span>}
      </span>
    </SiteOrExternalLink>
  )
}
