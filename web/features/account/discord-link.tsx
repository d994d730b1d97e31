import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getDiscordLink, startDiscordLink, unlinkDiscord } from '#contract/discord-link.ts'
import { alertFailure } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'

/** Explains which data Discord and the operators see, before and after a player connects. */
export function DiscordFacts() {
  return (
    <p>
      Discord gets at most five facts from us: your best level, whether you lead a club, your best rank this month, your
      season division, and the day your account was opened. Your name and your characters are not sent. On Discord,
      everyone who sees your roles can tell which facts you meet. No one on this site sees that you are connected; we
      store the number and the name of your Discord account. Facts are sent once a day. They are deleted when you
      disconnect, delete your account, or choose to be left out.
    </p>
  )
}

/** Connects a Discord account, for roles on the operators' server (DISCORD-6). */
export function DiscordPanel() {
  const queries = useQueryClient()
  const { data } = useCall(getDiscordLink, {}, { retry: false })
  const startLink = useMutation({
    mutationFn: () => call(startDiscordLink, {}, { shellFailures: 'ended-session' }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: alertFailure,
  })
  const unlink = useMutation({
    mutationFn: () => call(unlinkDiscord, {}, { shellFailures: 'ended-session' }),
    onSettled: () => queries.invalidateQueries({ queryKey: toKeyPrefix(getDiscordLink) }),
    onError: alertFailure,
  })
  if (data === undefined || (!data.offered && data.name === null)) return null
  return (
    <Panel title="Discord">
      <div className={layout.padded}>
        <div className={layout.stack}>
          <DiscordFacts />
          {data.name !== null && <p role="status">Connected as {data.name}.</p>}
          <div className={layout.buttons}>
            {data.name === null ? (
              <Button busy={startLink.isPending} onClick={() => startLink.mutate()}>
                Connect Discord
              </Button>
            ) : (
              <Button tone="secondary" busy={unlink.isPending} onClick={() => unlink.mutate()}>
                Disconnect
              </Button>
            )}
          </div>
        </div>
      </div>
    </Panel>
  )
}
