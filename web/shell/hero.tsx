import { useShellData } from './shell-data.ts'
import styles from './hero.module.css'
import { Flags } from './flags.tsx'
import { HeroAccount } from './hero-account.tsx'
import { MemberCard } from './member-card.tsx'
import { Rotator } from './rotator.tsx'
import { DownloadBoard, InstructionsBoard } from './signboards.tsx'

/** The home page's stage: who plays, what is on, and the three schools, before the school building at night. */
export function Hero() {
  const appName = useShellData()?.appName
  return (
    <div className={styles.hero} data-head>
      <h1 className="visually-hidden">{appName}</h1>
      <div className={styles.card}>
        <MemberCard />
      </div>
      <div className={styles.rotator}>
        <Rotator />
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
