import { useSearchParams } from 'react-router'
import { SCHOOLS } from '#contract/game.ts'
import { ownPath } from '#web/api/guard.ts'
import { Crest } from '#web/art/crest.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { LoginCard } from './login-card.tsx'
import styles from './login-page.module.css'
import { NewcomerNote } from './newcomer-note.tsx'
import { useStoredToken } from './use-stored-token.ts'

/** The login screen (SPEC §2.4). */
export default function LoginPage() {
  const [search] = useSearchParams()
  const goTo = () => ownPath(search.get('next'))
  useStoredToken(goTo)
  return (
    <>
      <PageHead
        crumb="Login"
        title="Login"
        lines={[
          <span key="promise" className={styles.promise}>
            Your cart, your coins and your characters are where you left them.
          </span>,
        ]}
        actions={
          <div className={styles.crests}>
            {SCHOOLS.map(({ code, name }) => (
              <Crest key={code} school={code} size={64} label={name} />
            ))}
          </div>
        }
      />
      <div className={styles.place}>
        <LoginCard goTo={goTo} />
        <NewcomerNote />
      </div>
    </>
  )
}
