import { preload } from 'react-dom'
import { SCHOOLS } from '#contract/game.ts'
import { LOGIN_TEXTS } from '#contract/messages.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { Crest } from '#web/art/crest.tsx'
import schools from '#web/art/schools.module.css'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Count } from '#web/ui/value.tsx'
import styles from './hero.module.css'
import { MemberCard } from './member-card.tsx'
import { Rotator } from './rotator.tsx'
import { getSiteQuery, useShellData } from './shell-data.ts'
import { DownloadBoard, InstructionsBoard } from './signboards.tsx'
import { StatusLine } from './status-line.tsx'
import { WaitingSection } from './waiting.tsx'

/** The top of the home page: account card, rotator and the three schools, in front of the school at night. */
export function Hero() {
  const { appName, theme } = useShellData() ?? {}
  if (theme === undefined) preload('/art/stage-home.svg', { as: 'image', fetchPriority: 'high' })
  return (
    <div className={styles.hero} data-head>
      <h1 className="visually-hidden">{appName}</h1>
      <div className={styles.card}>
        <MemberCard />
      </div>
      <div className={styles.rotator}>
        <Rotator isFirst />
      </div>
      <StatusLine className={styles.status} />
      <WaitingSection className={styles.waiting} hasRank />
      <HeroAccount />
      <div className={styles.boards}>
        <DownloadBoard className={styles.download} />
        <InstructionsBoard />
      </div>
      <Flags />
    </div>
  )
}

/** The buttons for guests on phones and tablets, where the card is hidden. */
function HeroAccount() {
  return (
    <div className={styles.account} data-for="guest">
      <ButtonLink to="/register" size="lg">
        {LOGIN_TEXTS.signUp}
      </ButtonLink>
      <ButtonLink to="/login" tone="secondary" size="lg">
        Login
      </ButtonLink>
    </div>
  )
}

/** The three schools with their numbers of characters. Each flag links to the ranking of its school. */
function Flags() {
  const { data: site } = usePageQuery(getSiteQuery())
  const pictures = useShellData()?.theme?.pictures ?? {}
  const countCharacters = (code: number) => site?.schools.find(({ school }) => school === code)?.characters
  return (
    <ul className={styles.flags}>
      {SCHOOLS.map((school) => {
        const characters = countCharacters(school.code)
        return (
          <li key={school.code}>
            <Link
              to={`/rankings?school=${school.code}`}
              className={`${styles.flag} ${schools.colors}`}
              data-school={school.key}
            >
              {pictures[`crest_${school.key}`] ? (
                <span className={`${styles.cloth} ${styles.plain}`}>
                  <Crest school={school.code} size={88} />
                </span>
              ) : (
                <picture className={styles.cloth}>
                  <source media="(min-width: 1384px)" srcSet={`/art/flag-${school.code}.svg`} />
                  <img src={`/art/flag-${school.code}-phone.svg`} alt="" width="104" height="164" />
                </picture>
              )}
              <span className={styles.crest}>
                <Crest school={school.code} size={48} />
              </span>
              <span className={styles.text}>
                <span className={styles.name}>{school.name}</span>
                {characters !== undefined && <Count of={characters} unit="player" className={styles.count} />}
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
