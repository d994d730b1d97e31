import { useEffect, useState } from 'react'
import { getPushKey, getPushKinds, PUSH_KINDS, type PushKind, savePushDevice } from '#contract/push.ts'
import { CallError, call, getAlertText, isSessionExpired } from '#web/api/call.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './mailbox-page.module.css'

const KINDS = Object.entries(PUSH_KINDS) as [PushKind, string][]

const NOT_SUBSCRIBED_TEXT = 'Your browser did not turn notifications on. A private window never does.'

const registerWorker = () =>
  navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready)

/** The timeout of a subscription, in ms. Without it, a browser that cannot reach its push service takes minutes. */
const SUBSCRIBE_TIMEOUT_MS = 20_000

const limitTime = <T,>(subscription: Promise<T>): Promise<T> =>
  Promise.race([
    subscription,
    new Promise<never>((_, reject) => {
      setTimeout(reject, SUBSCRIBE_TIMEOUT_MS, new Error('The push service does not answer.'))
    }),
  ])

/** Returns the browser's subscription with the site's key. A subscription with an older key is replaced. */
async function subscribe(): Promise<PushSubscription> {
  const { pushManager } = await registerWorker()
  const { public_key } = await call(getPushKey, {})
  const options = { userVisibleOnly: true, applicationServerKey: public_key }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    const oldSubscription = await pushManager.getSubscription()
    if (oldSubscription === null) throw error
    await oldSubscription.unsubscribe()
    return pushManager.subscribe(options)
  }
}

/** Returns the kinds of notifications that this device receives. */
async function readKinds(): Promise<PushKind[]> {
  const subscription = await (await registerWorker()).pushManager.getSubscription()
  if (subscription === null || Notification.permission !== 'granted') return []
  return (await call(getPushKinds, { endpoint: subscription.endpoint })).kinds
}

/** Chooses the notifications of this device while the site is closed (PUSH-1). All are off by default. */
export function PushSettings() {
  const [kinds, setKinds] = useState<PushKind[] | null>(null)
  const [isSupported, setIsSupported] = useState(true)
  useEffect(() => {
    // In-app browsers do not support push messages, and iPhones support them only on the home screen.
    const supportsPush = 'PushManager' in window && 'Notification' in window && navigator.serviceWorker !== undefined
    setIsSupported(supportsPush)
    if (supportsPush) readKinds().then(setKinds, () => setKinds([]))
  }, [])

  const changeKinds = async (newKinds: PushKind[]) => {
    const previousKinds = kinds
    setKinds(newKinds)
    try {
      if ((await Notification.requestPermission()) !== 'granted') {
        setKinds(previousKinds)
        return void showToast('error', 'Your browser blocks notifications of this site. Allow them in its settings.')
      }
      const { endpoint, keys } = (await limitTime(subscribe())).toJSON()
      const { message } = await call(savePushDevice, {
        endpoint: endpoint ?? '',
        keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
        kinds: newKinds,
      })
      void showToast('done', message)
    } catch (error) {
      setKinds(previousKinds)
      // The browser's own errors are not written for players.
      if (!isSessionExpired(error))
        void showToast('error', error instanceof CallError ? getAlertText(error) : NOT_SUBSCRIBED_TEXT)
    }
  }

  return (
    <fieldset>
      <legend>Notify me on this device</legend>
      {isSupported ? (
        <>
          <p>You get notifications even while this site is closed. Each one shows its kind and its sender.</p>
          <div className={styles.kinds}>
            {KINDS.map(([kind, name]) => (
              <Checkbox
                key={kind}
                label={name}
                disabled={kinds === null}
                checked={kinds?.includes(kind) ?? false}
                onChange={({ target }) =>
                  void changeKinds(
                    target.checked ? [...(kinds ?? []), kind] : (kinds ?? []).filter((otherKind) => otherKind !== kind),
                  )
                }
              />
            ))}
          </div>
        </>
      ) : (
        <UnsupportedNote />
      )}
    </fieldset>
  )
}

/**
 * Advice for browsers without push messages (PUSH-5), such as those inside other apps, and iPhones without the home screen
 * icon.
 */
function UnsupportedNote() {
  const isAppleDevice = /iPhone|iPad/.test(navigator.userAgent)
  const address = `${location.origin}/mailbox`
  return (
    <div className={styles.unsupported}>
      <p>
        {isAppleDevice
          ? 'On an iPhone or iPad, open this page in Safari, choose Share, Add to Home Screen, and open it from there:'
          : 'This browser cannot show notifications. Open this page in your browser, for example Chrome or Firefox:'}
      </p>
      <p>
        <code>{address}</code> <CopyButton text={address} what="the address" />
      </p>
    </div>
  )
}
