import { useQuery } from '@tanstack/react-query'
import type { User } from '#contract/accounts.ts'
import { classOfCode, schoolOfCode } from '#contract/game.ts'
import schools from '#web/features/rankings/marks.module.css'
import { ClassMark, SchoolMark } from '#web/features/rankings/marks.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import styles from './characters-panel.module.css'
import { LoadFailed } from './load-failed.tsx'
import { accountQuery } from './queries.ts'

type Character = User['characters'][number]

/** Characters list: name and level (SPEC §2.5), with class and school. */
export function CharactersPanel({ userNum }: { userNum: number }) {
  const { data, isError, refetch } = useQuery(accountQuery(userNum))
  return (
    <Panel index={4} title="Characters list">
      {data === undefined ? (
        <div className={styles.wait}>
          {isError ? <LoadFailed onRetry={() => void refetch()} /> : <Skeleton width="100%" height={72} />}
        </div>
      ) : data.characters.length === 0 ? (
        <EmptyState
          title="No characters yet"
          line="Download the game, choose a school and make your first one."
          action={<ButtonLink to="/downloads">Download the game</ButtonLink>}
        />
      ) : (
        <ul className={styles.list}>
          {data.characters.map((character) => (
            <Row key={character.ChaNum} character={character} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Row({ character }: { character: Character }) {
  const school = schoolOfCode(character.ChaSchool)
  return (
    <li className={`${styles.row} ${schools.colors}`} data-school={school?.key}>
      <strong className={styles.name}>{character.ChaName}</strong>
      <span className={styles.marks}>
        <ClassMark name={classOfCode(character.ChaClass)} />
        <SchoolMark school={school} />
      </span>
      <span className={styles.level}>
        <span>Level</span> {character.ChaLevel}
      </span>
    </li>
  )
}
