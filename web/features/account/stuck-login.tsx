import { useMutation, useQueryClient } from '@tanstack/react-query'
import { freeStuckLogin, getStuckLogin } from '#contract/stuck-login.ts'
import { alertFailure } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'

const REFRESH_MS = 2000

const RESULT_TEXTS = {
  waiting: 'We are checking with the game …',
  reset: 'Done: your account is free. You can log in to the game now.',
  clear: 'The game doesn’t show your account as logged in. Please try to log in again.',
  online:
    'The game still shows one of your characters online. Log out everywhere, wait ten minutes and try again, or write to support.',
  gone: 'We couldn’t find your account in the game. Please write to support.',
  unavailable: 'The game doesn’t answer right now, so nothing was changed. Please try again later.',
} as const

/** Helps players whom the game refuses as already logged in after it crashed (BRIDGE-29). */
export function StuckLoginPanel() {
  const queries = useQueryClient()
  const { data } = useCall(
    getStuckLogin,
    {},
    {
      retry: false,
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? REFRESH_MS : false),
    },
  )
  const freeAccount = useMutation({
    mutationFn: () => call(freeStuckLogin, {}, { shellFailures: 'ended-session' }),
    onSettled: () => queries.invalidateQueries({ queryKey: toKeyPrefix(getStuckLogin) }),
    onError: alertFailure,
  })
  if (data === undefined || (!data.offered && data.state === null)) return null
  return (
    <Panel title="The game says I’m already logged in">
      <div className={layout.padded}>
        <div className={layout.stack}>
          <p>
            After a crash the game can think that you are still playing. We free your account if all of your characters
            have been offline for ten minutes, or the game server has restarted since you logged in.
          </p>
          {data.state !== null && <p role="status">{RESULT_TEXTS[data.state]}</p>}
          {data.next_at === null ? (
            <div className={layout.buttons}>
              <Button busy={freeAccount.isPending} onClick={() => freeAccount.mutate()}>
                Free my account
              </Button>
            </div>
          ) : (
            data.state !== 'waiting' && <p>You can do this once every 15 minutes.</p>
          )}
        </div>
      </div>
    </Panel>
  )
}
