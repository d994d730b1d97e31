import { SCHOOLS } from '#contract/game.ts'
import { useLoaded } from '#web/api/queries.ts'
import { Crest } from '#web/art/crest.tsx'
import { Link } from '#web/ui/link.tsx'
import styles from './flags.module.css'
import { siteQuery } from './shell-data.ts'

const COUNT = new Intl.NumberFormat('en')

/** The three schools with their players; each flag leads to its school's ranking. */
export function Flags() {
  const { data: site } = useLoaded(siteQuery())
  const playersOf = (code: number) => site?.schools.find(({ school }) => school === code)?.characters
  return (
    <ul className={styles.flags}>
      {SCHOOLS.map((school) => {
        const players = playersOf(school.code)
        return (
          <li key={school.code}>
            <Link to={`/rankings?school=${school.code}`} className={`${styles.flag} ${styles[school.key]}`}>
              <picture className={styles.cloth}>
                <source media="(min-width: 1384px)" srcSet={`/art/flag-${school.code}.svg`} />
                <img src={`/art/flag-${school.code}-phone.svg`} alt="" width="104" height="164" />
              </picture>
              <span className={styles.crest}>
                <Crest school={school.code} size={52} />
              </span>
              <span className={styles.words}>
                <span className={styles.name}>{school.name}</span>
                {players !== undefined && (
                  <span className={styles.count}>
                    {COUNT.format(players)} {players === 1 ? 'player' : 'players'}
                  </span>
                )}
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
