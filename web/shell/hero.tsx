import { preload } from 'react-dom'
import { Flags } from './flags.tsx'
import styles from './hero.module.css'
import { HeroAccount } from './hero-account.tsx'
import { MemberCard } from './member-card.tsx'
import { Rotator } from './rotator.tsx'
import { useShellData } from './shell-data.ts'
import { DownloadBoard, InstructionsBoard } from './signboards.tsx'

/** The home page's stage: who plays, what is on, and the three schools, before the school building at night. */
export function Hero() {
  const appName = useShellData()?.appName
  preload('/art/stage-home.svg', { as: 'image', fetchPriority: 'high' })
  return (
    <div className={styles.hero} data-head>
      <h1 className="visually-hidden">{appName}</h1>
      <div className={styles.card}>
        <MemberCard />
      </div>
      <div className={styles.rotator}>
        <Rotator on="everywhere" />
      </div>
      <div className={styles.boards}>
        <DownloadBoard className={styles.download} />
        <InstructionsBoard className={styles.instructions} />
        <HeroAccount className={styles.account} />
      </div>
      <div className={styles.flags}>
        <Flags />
      </div>
    </div>
  )
}
