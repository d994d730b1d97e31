import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { linkDiscord } from '#contract/discord-link.ts'
import { discordSearch } from '#web/api/browser-search.ts'
import { call, getAlertText } from '#web/api/call.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { DiscordFacts } from './discord-link.tsx'
import styles from './undo-email-page.module.css'

/** The page to which Discord redirects. After one more click, the player's session sends the code. */
export default function DiscordPage() {
  const failureId = useId()
  const { code, state } = usePageSearch(discordSearch)
  const isHydrated = useHydrated()
  const link = useMutation({ mutationFn: () => call(linkDiscord, { code, state }, { shellFailures: 'ended-session' }) })
  return (
    <>
      <PageHead hasScene crumb="Discord" title="Discord" lines={['Roles on our Discord server for what you play.']} />
      <PaperSheet>
        <SheetPart title={link.isSuccess ? 'Connected' : 'Connect Discord'} line={link.data?.message ?? ''}>
          <div className={`${layout.stack} ${styles.part}`}>
            <DiscordFacts />
            {link.isError && (
              <FieldError id={failureId} role="alert">
                {getAlertText(link.error)}
              </FieldError>
            )}
            <div className={layout.buttons}>
              {isHydrated && !link.isSuccess && code !== '' && (
                <Button tone="paper" size="lg" busy={link.isPending} onClick={() => link.mutate()}>
                  Connect my account
                </Button>
              )}
              <ButtonLink tone="paper" to="/user">
                My Account
              </ButtonLink>
            </div>
          </div>
        </SheetPart>
      </PaperSheet>
    </>
  )
}
