import { mailDownloadLink } from '#contract/downloads.ts'
import { SHELL_TEXTS } from '#contract/messages.ts'
import { attempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { useHydrated } from '#web/api/page.ts'
import { useSessionState } from '#web/api/session.ts'
import { useShellData } from '#web/shell/shell-data.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './downloads-page.module.css'

/** Offers ways to send this page's address to a computer, on devices that cannot run the game (DOWNLOAD-4). */
export function SendLink() {
  const { appName = '', publicUrl = '' } = useShellData() ?? {}
  const isPlayer = useSessionState() === 'in'
  const mayShare = useHydrated() && 'share' in navigator
  const url = `${publicUrl}/downloads`
  const shareLink = () => navigator.share({ title: appName, url }).catch(() => undefined)
  const mailLink = () => attempt(async () => showToast('done', (await call(mailDownloadLink, {})).message))
  return (
    <div className={styles.send}>
      <Panel title={SHELL_TEXTS.sendLink}>
        <div className={layout.padded}>
          <p className={styles.address}>{url}</p>
          <div className={`${layout.buttons} needs-script`}>
            {mayShare && <Button onClick={() => void shareLink()}>Share</Button>}
            <CopyButton text={url} what="the link" />
            {isPlayer && (
              <Button tone="secondary" onClick={() => void mailLink()}>
                Mail it to me
              </Button>
            )}
          </div>
        </div>
      </Panel>
    </div>
  )
}
