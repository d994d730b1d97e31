import { useState } from 'react'
import { browserClient, read } from '#web/api/client.ts'
import { alertCall } from '#web/features/cart/alert-call.ts'
import { showToast } from '#web/ui/toast.ts'
import { keepReceiptsChoice, readReceiptsChoice } from './receipts-choice.ts'
import styles from './receipts-switch.module.css'

/** Whether a receipt of each purchase is mailed. Answers at once and goes back when the call fails. */
export function ReceiptsSwitch({ userNum }: { userNum: number }) {
  const [on, setOn] = useState(() => readReceiptsChoice(userNum))
  const [busy, setBusy] = useState(false)
  const toggle = async () => {
    if (busy) return
    const wanted = !on
    setOn(wanted)
    setBusy(true)
    try {
      const { message } = await read(browserClient.receipts.$post({ json: { wanted } }))
      keepReceiptsChoice(userNum, wanted)
      void showToast('done', message)
    } catch (error) {
      setOn(!wanted)
      alertCall(error)
    }
    setBusy(false)
  }
  return (
    <button type="button" role="switch" aria-checked={on} className={styles.switch} onClick={() => void toggle()}>
      Mail me receipts
      <span className={styles.track} aria-hidden="true" />
    </button>
  )
}
