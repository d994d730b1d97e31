import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getGiftChoice, setGiftChoice } from '#contract/gifts.ts'
import { getMailboxSettings, LETTER_KINDS, type LetterKind, saveMailboxSettings } from '#contract/mailbox.ts'
import { alertFailure } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { toQueryKey, useCall } from '#web/api/queries.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './mailbox-page.module.css'
import { PushSettings } from './push-settings.tsx'

const KINDS = Object.entries(LETTER_KINDS) as [LetterKind, string][]
const QUERY_OPTIONS = { staleTime: 0, retry: false } as const

/** Chooses which letters are copied by email, and whether other players can send gifts. Changes apply at once. */
export function MailboxSettings() {
  const client = useQueryClient()
  const settings = useCall(getMailboxSettings, {}, QUERY_OPTIONS)
  const gifts = useCall(getGiftChoice, {}, QUERY_OPTIONS)
  const saveCopies = useMutation({
    mutationFn: (copies: LetterKind[]) => call(saveMailboxSettings, { copies }),
    onMutate: (copies) =>
      client.setQueryData(toQueryKey(getMailboxSettings, {}), { verified: settings.data?.verified ?? false, copies }),
    onSuccess: ({ message }) => void showToast('done', message),
    onError: (error) => {
      alertFailure(error)
      void settings.refetch()
    },
  })
  const saveGifts = useMutation({
    mutationFn: (accepts: boolean) => call(setGiftChoice, { accepts }),
    onMutate: (accepts) => client.setQueryData(toQueryKey(getGiftChoice, {}), { accepts }),
    onSuccess: ({ message }) => void showToast('done', message),
    onError: (error) => {
      alertFailure(error)
      void gifts.refetch()
    },
  })
  const { copies = [], verified = true } = settings.data ?? {}
  return (
    <Panel title="Settings">
      {settings.data === undefined || gifts.data === undefined ? (
        <div className={layout.padded}>
          <Skeleton width="100%" height={220} />
        </div>
      ) : (
        <div className={`${layout.padded} ${styles.settings}`}>
          <fieldset>
            <legend>Email me a copy of letters that stay unread</legend>
            {!verified && <p>You get copies after you confirm your email address.</p>}
            <div className={styles.kinds}>
              {KINDS.map(([kind, name]) => (
                <Checkbox
                  key={kind}
                  label={name}
                  checked={copies.includes(kind)}
                  onChange={({ target }) =>
                    saveCopies.mutate(target.checked ? [...copies, kind] : copies.filter((copy) => copy !== kind))
                  }
                />
              ))}
            </div>
          </fieldset>
          <PushSettings />
          <fieldset>
            <legend>Gifts</legend>
            <Checkbox
              label="Other players can send me gifts"
              checked={gifts.data.accepts}
              onChange={({ target }) => saveGifts.mutate(target.checked)}
            />
          </fieldset>
        </div>
      )}
    </Panel>
  )
}
