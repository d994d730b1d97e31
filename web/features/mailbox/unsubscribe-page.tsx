import { useState } from 'react'
import { MAILBOX_TEXTS, stopCopies } from '#contract/mailbox.ts'
import { mailedLinkSearch } from '#web/api/browser-search.ts'
import { call, getAlertText } from '#web/api/call.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'

/**
 * The page of the unsubscribe link in emailed copies of letters. Its button stops the copies. Opening the link does not,
 * because programs that check mails open links too.
 */
export default function UnsubscribePage() {
  const { token } = usePageSearch(mailedLinkSearch)
  const hasNoToken = useHydrated() && token === ''
  const [phase, setPhase] = useState<'confirming' | 'running' | 'done'>('confirming')
  const [failure, setFailure] = useState<string | null>(null)
  const stopEmails = async () => {
    setPhase('running')
    setFailure(null)
    try {
      await call(stopCopies, { token }, { shellFailures: 'ended-session' })
      setPhase('done')
    } catch (error) {
      setPhase('confirming')
      setFailure(getAlertText(error))
    }
  }
  return (
    <>
      <PageHead hasScene crumb="Unsubscribe" title="Unsubscribe" lines={['Copies of letters that we email you.']} />
      <PaperSheet>
        <SheetPart
          title={phase === 'done' ? 'Stopped' : 'Stop these emails?'}
          line={
            hasNoToken
              ? MAILBOX_TEXTS.linkNotFound
              : phase === 'done'
                ? MAILBOX_TEXTS.stopped
                : 'We will stop emailing you copies of this kind of letter. The letters will still arrive in your mail box.'
          }
        >
          <div className={layout.stack}>
            <div role="alert">{failure !== null && <p>{failure}</p>}</div>
            <div className={layout.buttons}>
              {phase !== 'done' && !hasNoToken && (
                <Button tone="paper" size="lg" busy={phase === 'running'} onClick={() => void stopEmails()}>
                  Stop the emails
                </Button>
              )}
              <ButtonLink to="/mailbox" tone="secondary" size="lg">
                Mail box and settings
              </ButtonLink>
            </div>
          </div>
        </SheetPart>
      </PaperSheet>
    </>
  )
}
