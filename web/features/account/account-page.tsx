import { useEffect } from 'react'
import { useSession } from '#web/api/session.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { warmToasts } from '#web/ui/toast.ts'
import styles from './account-page.module.css'
import { AccountSkeleton } from './account-skeleton.tsx'
import { CharactersPanel } from './characters-panel.tsx'
import { ConnectionPanel } from './connection-panel.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { RedeemForm } from './redeem-form.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

/** The account page (SPEC §2.5), for players only: its HTML knows nobody. */
export default function AccountPage() {
  const user = useSession()?.user
  useEffect(warmToasts, [])
  return (
    <>
      <PageHead
        crumb="Account Setting"
        title="Account Setting"
        lines={['Your coins, your connection and your characters.']}
      />
      {user === undefined ? (
        <AccountSkeleton />
      ) : (
        <>
          <div className={styles.parts}>
            <Panel index={1} title="Load R-COINS">
              <div className={styles.padded}>
                <RedeemForm />
              </div>
            </Panel>
            <ConnectionPanel userNum={user.UserNum} />
            <DetailsPanel user={user} />
            <CharactersPanel userNum={user.UserNum} />
          </div>
          <div className={styles.records}>
            <SessionsPanel userNum={user.UserNum} />
            <HistoryPanel userNum={user.UserNum} />
          </div>
        </>
      )}
    </>
  )
}
